//! A race in words.

use std::fmt;

use super::past::Hint;
use super::race::{Race, RaceKind, Side};
use crate::TracedStream;

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
        self.came_close(f)
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
                    let (freed_on, used_on) = (self.name(freed_on), self.name(used_on));
                    write!(
                        f,
                        ": submit #{other} before the free, record an event on {used_on} after it and make {freed_on} \
                         wait for it before the free"
                    )
                }
                (None, Some(used_on)) => {
                    let used_on = self.name(used_on);
                    write!(f, ": free only after #{other}, once a synchronisation of {used_on} has shown its end")
                }
                _ => write!(f, ": free only after #{other}"),
            },
            (_, Some(first), Some(second)) => {
                let (first, second) = (self.name(first), self.name(second));
                write!(
                    f,
                    "; nothing orders #{other} after #{one}: record an event on {first} after #{one} and make {second} \
                     wait for it before #{other}"
                )
            }
            (_, Some(first), None) => {
                let first = self.name(first);
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
        let names_an_edge = self.kind != RaceKind::AllocInUse && !self.first.frees();
        let (Some(hint), Some(first), true) = (self.hint, self.first.stream, names_an_edge) else { return Ok(()) };
        let first = self.name(first);
        let waiter = self.second.stream.map_or_else(|| String::from("the host"), |second| self.name(second));
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

    fn side(&self, side: &Side) -> String {
        let what = side.kernel.unwrap_or(side.call.word());
        match side.stream {
            Some(stream) => format!("`{what}` on stream {} (#{})", self.name(stream), side.seq),
            None => format!("the host (#{}, thread {})", side.seq, side.thread.number()),
        }
    }

    /// A stream's name, with its number where the other side's stream has the same name.
    fn name(&self, stream: TracedStream) -> String {
        let sides = [self.first.stream, self.second.stream];
        let is_namesake = |other: &TracedStream| other.name == stream.name && other.stream.id != stream.stream.id;
        match stream.name {
            Some(name) if sides.iter().flatten().any(is_namesake) => {
                format!("`{name}` number {} of device {}", stream.stream.id.number(), stream.stream.context.ordinal)
            }
            _ => stream.to_string(),
        }
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
