//! A race in a timeline.

use std::fmt;

use super::bar::Bar;
use super::timeline::Timeline;
use crate::{Race, RaceKind, Side};

/// Two bars that race. Prints as two sentences: who does what, and which edge is missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceMark {
    /// What kind of race it is.
    pub kind: RaceKind,
    /// The place in [`Timeline::bars`] of the operation that comes first in the log.
    pub first: usize,
    /// The place of the other.
    pub second: usize,
    /// The edge that would order them; `None` where no edge would: see [`RaceKind::DoubleFree`] and
    /// [`RaceKind::AllocInUse`].
    pub missing: Option<Missing>,
    story: String,
    remedy: String,
}

/// An edge that is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The place of the bar that should come first.
    pub from: usize,
    /// The place of the one that should wait for it.
    pub to: usize,
}

impl RaceMark {
    /// Who does what to which bytes.
    pub fn story(&self) -> &str {
        &self.story
    }

    /// What would order the two.
    pub fn remedy(&self) -> &str {
        &self.remedy
    }

    pub(super) fn of(race: &Race, timeline: &Timeline) -> Option<Self> {
        let place = |side: &Side| timeline.bars.binary_search_by_key(&side.seq, |bar| bar.seq).ok();
        let (first, second) = (place(&race.first)?, place(&race.second)?);
        let named = |bar: usize| Named { bar: &timeline.bars[bar], timeline };
        let missing = match race.kind {
            RaceKind::DoubleFree | RaceKind::AllocInUse => None,
            // What was freed too early is to be freed later.
            _ if race.first.call.frees() => Some(Missing { from: second, to: first }),
            _ => Some(Missing { from: first, to: second }),
        };
        let story = format!(
            "{}: {} {} {} that {} {}",
            race.kind,
            named(first),
            verb(&race.first),
            bytes(race.bytes as u64),
            named(second),
            verb(&race.second)
        );
        let remedy = match missing {
            None if race.kind == RaceKind::DoubleFree => "free a block once, after its last use".to_owned(),
            None => "no free lies between the two".to_owned(),
            Some(Missing { from, to }) => remedy(&named(from), &named(to)),
        };
        Some(RaceMark { kind: race.kind, first, second, missing, story, remedy })
    }
}

impl fmt::Display for RaceMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.story, self.remedy)
    }
}

fn remedy(from: &Named<'_>, to: &Named<'_>) -> String {
    let (before, after) = (from.lane(), to.lane());
    let (first, second) = (&from.bar.label, &to.bar.label);
    match (from.is_host(), to.is_host()) {
        (false, false) => {
            format!(
                "missing: an event recorded on {before} after {first}, and a wait for it on {after} before {second}"
            )
        }
        (false, true) => format!("missing: a sync of {before} on the {after}, after {first} and before {second}"),
        (true, _) => format!("missing: {first} on the {before} comes too late for {second} on {after}"),
    }
}

struct Named<'a> {
    bar: &'a Bar,
    timeline: &'a Timeline,
}

impl Named<'_> {
    fn lane(&self) -> &str {
        &self.timeline.lanes[self.bar.lane].name
    }

    fn is_host(&self) -> bool {
        self.timeline.lanes[self.bar.lane].stream.is_none()
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_host() {
            write!(f, "{} on the {}", self.bar.label, self.lane())
        } else {
            write!(f, "{} on {}", self.bar.label, self.lane())
        }
    }
}

fn verb(side: &Side) -> &'static str {
    match side {
        _ if side.call.allocates() => "allocates",
        _ if side.call.frees() => "frees",
        Side { write: true, .. } => "writes",
        Side { write: false, .. } => "reads",
    }
}

/// A number of bytes for people: `4 KiB`, `1.5 MiB`.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if count < 1024 {
        return format!("{count} {}", if count == 1 { "byte" } else { "bytes" });
    }
    let (mut value, mut unit) = (count as f64 / 1024.0, 0);
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        (value, unit) = (value / 1024.0, unit + 1);
    }
    let text = format!("{value:.1}");
    format!("{} {}", text.strip_suffix(".0").unwrap_or(&text), UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn bytes_for_people() {
        let shown = [0, 1, 1023, 1024, 1536, (1 << 20) - 1, 1 << 20, 3 << 29, u64::MAX].map(bytes);
        let expected =
            ["0 bytes", "1 byte", "1023 bytes", "1 KiB", "1.5 KiB", "1 MiB", "1 MiB", "1.5 GiB", "16384 PiB"];
        assert_eq!(shown, expected);
    }
}
