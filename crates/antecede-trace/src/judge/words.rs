//! A race in words.

use std::fmt;

use antecede::driver::StreamKind;

use super::legacy::NoLegacyEdge;
use super::past::Hint;
use super::race::{Race, RaceKind, Side};

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Race { first, second, bytes, .. } = self;
        let (one, other) = (self.side(first), self.side(second));
        let noun = if *bytes == 1 { "byte" } else { "bytes" };
        write!(f, "{}: {one} {} {bytes} {noun} at {:?}, ", self.kind, verb(first), self.ptr)?;
        let them = if *bytes == 1 { "it" } else { "them" };
        match self.kind {
            RaceKind::AllocInUse => write!(f, "{other} is given {them} anew")?,
            RaceKind::DoubleFree => write!(f, "{other} frees {them} again")?,
            _ if first.frees() => write!(f, "{other} {} {them} afterwards", verb(second))?,
            _ => write!(f, "{other} {} {them}", verb(second))?,
        }
        self.advice(f)?;
        if self.kind != RaceKind::AllocInUse && !first.frees() {
            self.came_close(f)?;
            self.no_legacy_edge(f)?;
        }
        Ok(())
    }
}

impl Race {
    /// Says which edge is missing and how to draw it.
    fn advice(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, other) = (self.first.seq, self.second.seq);
        match (self.kind, self.first.stream, self.second.stream) {
            (RaceKind::AllocInUse, ..) => write!(
                f,
                "; no free lies between #{one} and #{other}: the driver handed out memory in use, or a free bypassed \
                 this trace"
            ),
            (RaceKind::DoubleFree, ..) => write!(f, ": free a block once, after its last use"),
            (_, freed_on, used_on) if self.first.frees() => match (freed_on, used_on) {
                (Some(freed_on), Some(used_on)) if freed_on.stream.id != used_on.stream.id => {
                    let (freed_on, used_on) = (self.name(&self.first), self.name(&self.second));
                    write!(
                        f,
                        ": submit #{other} before the free, record an event on {used_on} after it and make {freed_on} \
                         wait for it before the free"
                    )
                }
                (None, Some(_)) => {
                    let used_on = self.name(&self.second);
                    write!(f, ": free only after #{other}, once a synchronisation of {used_on} has shown its end")
                }
                _ => write!(f, ": free only after #{other}"),
            },
            (_, Some(_), Some(_)) => {
                let (first, second) = (self.name(&self.first), self.name(&self.second));
                write!(
                    f,
                    "; nothing orders #{other} after #{one}: record an event on {first} after #{one} and make {second} \
                     wait for it before #{other}"
                )
            }
            (_, Some(_), None) => {
                let first = self.name(&self.first);
                write!(
                    f,
                    "; the host has not seen #{one} complete: synchronise {first}, or an event recorded on it after \
                     #{one}, before #{other}"
                )
            }
            // What the host has done itself comes before all that it does or submits later.
            (_, None, _) => Ok(()),
        }
    }

    /// Says which edge was perhaps meant.
    fn came_close(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(hint), Some(_)) = (self.hint, self.first.stream) else { return Ok(()) };
        let (first, waiter) = (self.name(&self.first), self.name(&self.second));
        match hint {
            Hint::TooEarly { wait, upto } => {
                write!(f, " (the latest wait of {waiter} for {first}, #{wait}, covers it only up to #{upto})")
            }
            Hint::Unrecorded { wait } => {
                write!(f, " ({waiter} waits at #{wait} for an event that was never recorded, which orders nothing)")
            }
            Hint::NotAwaited { record } => {
                write!(f, " (an event was recorded on {first} at #{record}, but no wait orders {waiter} after it)")
            }
        }
    }

    /// Says why the legacy default stream does not order the two.
    fn no_legacy_edge(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let non_blocking = match self.no_legacy_edge {
            None => return Ok(()),
            Some(NoLegacyEdge::FirstIsNonBlocking) => self.name(&self.first),
            Some(NoLegacyEdge::SecondIsNonBlocking) => self.name(&self.second),
            Some(NoLegacyEdge::NothingBetween) => {
                return f.write_str(
                    " (an operation on the legacy default stream in between would order them; an allocation or a query \
                     does not)",
                );
            }
            Some(NoLegacyEdge::OtherContext) => {
                return f.write_str(" (the legacy default stream orders only streams of its own context)");
            }
        };
        write!(f, " (the legacy default stream orders only blocking streams; {non_blocking} is non-blocking)")
    }

    fn side(&self, side: &Side) -> String {
        let what = side.kernel.unwrap_or(side.call.word());
        match side.stream {
            Some(_) => format!("`{what}` on stream {} (#{})", self.name(side), side.seq),
            None => format!("the host (#{}, thread {})", side.seq, side.thread.number()),
        }
    }

    /// A side's stream, with its number where the other side has another one that is called the same; or the host.
    fn name(&self, side: &Side) -> String {
        let Some(stream) = side.stream else { return String::from("the host") };
        let is_namesake = |other: &Side| {
            other.stream.is_some_and(|other| other.stream.id != stream.stream.id) && called(other) == called(side)
        };
        let mut name = called(side);
        if [self.first, self.second].iter().any(is_namesake) {
            name += &format!(" number {} of device {}", stream.stream.id.number(), stream.stream.context.ordinal);
        }
        name
    }
}

/// What a side's stream is called, be there others of that name or not.
fn called(side: &Side) -> String {
    match side.stream {
        Some(stream) if stream.stream.kind == StreamKind::PerThreadStream => {
            format!("{stream} (thread {})", side.thread.number())
        }
        Some(stream) => stream.to_string(),
        None => String::new(),
    }
}

fn verb(side: &Side) -> &'static str {
    match side {
        _ if side.allocates() => "allocates",
        _ if side.frees() => "frees",
        Side { write: true, .. } => "writes",
        Side { write: false, .. } => "reads",
    }
}
