//! What a judge says of a log.

use std::fmt;

use super::Race;

/// The races of a log, in the order of their second operations. Prints one numbered line a race.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "a report that nobody reads finds no race"]
pub struct Report {
    races: Vec<Race>,
    entries: usize,
}

impl Report {
    pub(super) fn new(races: Vec<Race>, entries: usize) -> Self {
        Report { races, entries }
    }

    /// Whether there is no race.
    pub fn is_silent(&self) -> bool {
        self.races.is_empty()
    }

    /// The races: one for each pair of operations and each range that both touch.
    pub fn races(&self) -> &[Race] {
        &self.races
    }

    /// How many entries the log had.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Fails a test unless there is no race.
    ///
    /// # Panics
    /// If there is a race; with the report as the message.
    #[track_caller]
    pub fn assert_silent(&self) {
        assert!(self.is_silent(), "{self}");
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.races.len() {
            0 => write!(f, "no race in {} entries", self.entries),
            1 => write!(f, "1 race in {} entries:", self.entries),
            many => write!(f, "{many} races in {} entries:", self.entries),
        }?;
        let numbered = self.races.iter().zip(1..);
        numbered.into_iter().try_for_each(|(race, number)| write!(f, "\n{number}. {race}"))
    }
}
