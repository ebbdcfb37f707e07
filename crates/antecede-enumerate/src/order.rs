//! Happens-before, as a graph of calls: the second opinion beside the judge of `antecede-trace`.
//!
//! Shares no code with it, and has no clocks: each call is a set of those before it, and every pair of accesses is
//! looked at.

use crate::erase::{Access, Call, Event, Queue, Work};
use std::collections::BTreeMap;

/// Calls, by number, as bits.
pub type Set = u128;

/// Two calls that race, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unordered {
    /// The one that was made first.
    pub first: usize,
    /// The other.
    pub second: usize,
}

/// All pairs of calls that access the same bytes, one of them writing, with no path of happens-before between them.
///
/// # Panics
/// If there are more than 128 calls.
pub fn unordered(calls: &[Call]) -> Vec<Unordered> {
    let before = before(calls);
    let mut races = Vec::new();
    for (second, call) in calls.iter().enumerate() {
        for (first, earlier) in calls[..second].iter().enumerate() {
            let ordered = before[second] & (1 << first) != 0;
            let conflicts = |one: &Access| accesses(earlier).iter().any(|other| one.conflicts(*other));
            if !ordered && accesses(call).iter().any(conflicts) {
                races.push(Unordered { first, second });
            }
        }
    }
    races
}

/// By call, the calls that happen before it.
///
/// # Panics
/// If there are more than 128 calls.
pub fn before(calls: &[Call]) -> Vec<Set> {
    assert!(calls.len() <= Set::BITS as usize, "{} calls are more than a set holds", calls.len());
    let mut graph = Graph::default();
    calls.iter().enumerate().for_each(|(number, call)| graph.add(number, call));
    graph.before
}

fn accesses(call: &Call) -> Vec<Access> {
    match call {
        Call::Submit(_, _, accesses) => accesses.clone(),
        Call::Host(access) => vec![*access],
        Call::Reused(var, _) => vec![Access::write(*var)],
        Call::Record(..) | Call::Wait(..) | Call::SyncStream(_) | Call::SyncEvent(_) | Call::SyncContext => Vec::new(),
    }
}

#[derive(Default)]
struct Graph {
    /// By call: what happens before it.
    before: Vec<Set>,
    /// By stream: its calls so far, with all that happens before them.
    streams: BTreeMap<Queue, Set>,
    /// The calls so far on the legacy default stream that order the blocking streams after them.
    legacy: Set,
    /// What the host has done and seen.
    host: Set,
    events: BTreeMap<Event, Set>,
}

impl Graph {
    fn add(&mut self, number: usize, call: &Call) {
        let this = 1 << number;
        let before = match call {
            Call::Submit(queue, Work::Alloc, _) => self.submit(this, *queue, self.host),
            Call::Submit(queue, ..) => self.submit(this, *queue, self.host | self.implied(*queue)),
            Call::Record(queue, event) => {
                let before = self.submit(this, *queue, self.host | self.implied(*queue));
                self.events.insert(*event, before | this);
                before
            }
            Call::Wait(queue, event) => {
                let recorded = self.events.get(event).copied().unwrap_or_default();
                self.submit(this, *queue, self.host | self.implied(*queue) | recorded)
            }
            Call::SyncStream(queue) => {
                let seen = if queue.is_legacy() { self.blocking() } else { 0 };
                self.see(this, self.stream(*queue) | seen)
            }
            Call::SyncEvent(event) => self.see(this, self.events.get(event).copied().unwrap_or_default()),
            Call::SyncContext => self.see(this, self.streams.values().fold(0, |all, stream| all | stream)),
            Call::Host(_) => self.see(this, 0),
            Call::Reused(_, event) => {
                // Nothing comes after it.
                self.host | event.and_then(|event| self.events.get(&event).copied()).unwrap_or_default()
            }
        };
        self.before.push(before);
        let makes_edge = match call {
            Call::Submit(queue, work, _) => queue.is_legacy() && *work != Work::Alloc,
            Call::Record(queue, _) | Call::Wait(queue, _) => queue.is_legacy(),
            _ => false,
        };
        if makes_edge {
            self.legacy |= before | this;
        }
    }

    fn stream(&self, queue: Queue) -> Set {
        self.streams.get(&queue).copied().unwrap_or_default()
    }

    /// All that was submitted to blocking streams.
    fn blocking(&self) -> Set {
        self.streams.iter().filter(|(queue, _)| queue.is_blocking()).fold(0, |all, (_, stream)| all | stream)
    }

    /// What the legacy default stream orders before the next call on a stream.
    fn implied(&self, queue: Queue) -> Set {
        match queue {
            _ if queue.is_legacy() => self.blocking(),
            _ if queue.is_blocking() => self.legacy,
            _ => 0,
        }
    }

    fn submit(&mut self, this: Set, queue: Queue, more: Set) -> Set {
        let before = self.stream(queue) | more;
        self.streams.insert(queue, before | this);
        before
    }

    fn see(&mut self, this: Set, seen: Set) -> Set {
        let before = self.host | seen;
        self.host = before | this;
        before
    }
}
