//! The call log.

use std::fmt;

use crate::Entry;

/// Entries in the order in which the inner driver saw the calls. Prints one line an entry.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Log(Vec<Entry>);

impl Log {
    /// The entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// The entry of that number, if the log holds it.
    pub fn entry(&self, seq: u64) -> Option<&Entry> {
        self.0.binary_search_by_key(&seq, |entry| entry.seq).ok().map(|place| &self.0[place])
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A log of these entries, which must come with growing numbers.
impl FromIterator<Entry> for Log {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        Log(entries.into_iter().collect())
    }
}

impl<'log> IntoIterator for &'log Log {
    type Item = &'log Entry;
    type IntoIter = std::slice::Iter<'log, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Display for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}
