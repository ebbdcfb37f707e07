//! Records and waits so far, to say of a race which edge came close.

use std::collections::HashMap;

use super::clock::Agent;

/// What a race's report can add: the edge that was meant and does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hint {
    /// The latest wait of the second side for the first's stream covers that stream up to an earlier entry.
    TooEarly { wait: u64, upto: u64 },
    /// The latest wait of the second side was for an event without a record.
    Unrecorded { wait: u64 },
    /// An event was recorded behind the first operation, and no wait of the second side holds for it.
    NotAwaited { record: u64 },
}

#[derive(Default, Debug)]
pub(super) struct Past {
    /// By stream, the numbers of its event records.
    records: HashMap<Agent, Vec<u64>>,
    /// By waiting side and stream waited for: the latest wait, and up to which entry it covers the stream.
    waits: HashMap<(Agent, Agent), (u64, u64)>,
    /// By stream, its latest wait for an event without a record.
    waits_for_nothing: HashMap<Agent, u64>,
}

impl Past {
    pub(super) fn recorded(&mut self, stream: Agent, seq: u64) {
        self.records.entry(stream).or_default().push(seq);
    }

    pub(super) fn waited(&mut self, waiter: Agent, seq: u64, stream: Agent, upto: u64) {
        self.waits.insert((waiter, stream), (seq, upto));
    }

    pub(super) fn waited_for_nothing(&mut self, waiter: Agent, seq: u64) {
        self.waits_for_nothing.insert(waiter, seq);
    }

    /// Whether the waiter has waited for that stream since that entry.
    pub(super) fn has_waited(&self, waiter: Agent, stream: Agent, since: u64) -> bool {
        self.waits.get(&(waiter, stream)).is_some_and(|&(wait, _)| since < wait)
    }

    /// What came close to ordering the operation `first` of that stream before what the second side does now.
    pub(super) fn hint(&self, stream: Agent, first: u64, second: Agent) -> Option<Hint> {
        let too_early = self.waits.get(&(second, stream)).filter(|&&(wait, upto)| upto < first && first < wait);
        if let Some(&(wait, upto)) = too_early {
            return Some(Hint::TooEarly { wait, upto });
        }
        if let Some(&wait) = self.waits_for_nothing.get(&second).filter(|&&wait| first < wait) {
            return Some(Hint::Unrecorded { wait });
        }
        let records = self.records.get(&stream)?;
        let next = records.partition_point(|&record| record < first);
        records.get(next).map(|&record| Hint::NotAwaited { record })
    }
}
