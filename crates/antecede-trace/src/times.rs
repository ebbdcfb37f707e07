//! When things happened.

use std::collections::BTreeMap;

/// Start and end of something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    /// When it started.
    pub start: f64,
    /// When it ended.
    pub end: f64,
}

/// Start and end of log entries, by their numbers, in microseconds since an origin that all of them share.
///
/// [`Trace::times`](crate::Trace::times) measures them; others can be collected by hand.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Times(BTreeMap<u64, Span>);

impl Times {
    /// Start and end of the entry of that number; for what has two entries, from the beginning's to the end's. `None`
    /// if it was not measured.
    pub fn of(&self, seq: u64) -> Option<Span> {
        self.0.get(&seq).copied()
    }

    /// How many entries have been measured.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing has been measured.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(u64, Span)> for Times {
    fn from_iter<I: IntoIterator<Item = (u64, Span)>>(spans: I) -> Self {
        Times(spans.into_iter().collect())
    }
}

impl Extend<(u64, Span)> for Times {
    fn extend<I: IntoIterator<Item = (u64, Span)>>(&mut self, spans: I) {
        self.0.extend(spans);
    }
}
