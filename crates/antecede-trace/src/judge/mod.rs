//! Judges a log: which accesses does nothing order?

mod clock;
mod order;
mod past;
mod race;
mod report;
mod shadow;
mod words;

use std::collections::HashSet;
use std::ops::Range;

use antecede::driver::Access;

use self::clock::Agent;
use self::order::{Epoch, HostWait, Order};
use self::past::Past;
pub use self::race::{Race, RaceKind, Side};
pub use self::report::Report;
use self::shadow::{Clash, Mark, Role, Shadow};
use crate::{Call, Entry, Log, Outcome};

/// Judges a log by the rules of [`Judge`], failed calls included.
pub fn judge(log: &Log) -> Report {
    Judge::new().judge(log)
}

/// Finds the races of a log.
///
/// Two operations *race* when they access the same byte, one of them writes it, and no path of happens-before leads
/// from one to the other. An allocation and a free write their whole block. Happens-before is
///
/// 1. the order of submission to one stream;
/// 2. from what a stream was given before an event's record to what another is given after a wait for that record: the
///    event's latest one when the wait was submitted. A wait for an event that was not recorded orders nothing;
/// 3. from what a successful sync or a query answered `true` speaks of to everything that the host does next. A sync
///    speaks of what was submitted before it began;
/// 4. the host's own order: what it does itself, and submits, comes after what it did and saw before. That one operation
///    was submitted before another, to another stream, orders nothing;
/// 5. from a free to an allocation that is given the same memory, for those bytes alone. The driver owes this edge; it
///    does not order anything else, so that no program passes by the luck of an address.
///
/// A call that failed may have been submitted or not. Its accesses count; a failed record, wait, sync or query orders
/// nothing; a failed free frees nothing, yet its block may be allocated anew.
///
/// Of several operations that race with a later one and are ordered among themselves, the last is reported: an edge
/// from it orders all of them. After a free, each later use is reported against the free alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judge {
    failed_access: bool,
}

impl Judge {
    /// A judge that counts the accesses of failed calls.
    pub fn new() -> Self {
        Judge { failed_access: true }
    }

    /// Takes failed calls for calls that were not submitted. *May miss* races of those that were.
    pub fn without_failed_calls(self) -> Self {
        Judge { failed_access: false }
    }

    /// Judges a log. Takes time in proportion to its length, times the number of streams that share memory.
    pub fn judge(self, log: &Log) -> Report {
        let mut trial = Trial::new(self, log.entries());
        for (place, entry) in log.entries().iter().enumerate() {
            trial.hear(place, entry);
        }
        Report::new(trial.races, log.len())
    }
}

impl Default for Judge {
    fn default() -> Self {
        Judge::new()
    }
}

/// A log being judged, up to one entry.
struct Trial<'log> {
    judge: Judge,
    entries: &'log [Entry],
    /// Beginnings of the frees of pinned memory that failed.
    failed_frees: HashSet<u64>,
    order: Order,
    shadow: Shadow,
    past: Past,
    races: Vec<Race>,
}

impl<'log> Trial<'log> {
    fn new(judge: Judge, entries: &'log [Entry]) -> Self {
        let failed_free = |entry: &Entry| match entry.outcome {
            Outcome::EndedFailed { begun, .. } if entry.call.frees() => Some(begun),
            _ => None,
        };
        Trial {
            judge,
            entries,
            failed_frees: entries.iter().filter_map(failed_free).collect(),
            order: Order::new(),
            shadow: Shadow::default(),
            past: Past::default(),
            races: Vec::new(),
        }
    }

    fn hear(&mut self, place: usize, entry: &Entry) {
        let stream = entry.stream.map(|stream| self.order.agent(&stream.stream));
        let ok = entry.outcome.error().is_none();
        match (entry.call, stream, entry.event) {
            (
                Call::Alloc
                | Call::PoolAlloc
                | Call::Free
                | Call::Fill
                | Call::Copy
                | Call::PeerCopy
                | Call::Launch
                | Call::HostFn,
                Some(stream),
                _,
            ) => {
                let epoch = self.order.submit(stream);
                self.access(place, entry, epoch, ok);
            }
            (Call::HostRead | Call::HostWrite | Call::PinnedAlloc | Call::ManagedAlloc, ..) => {
                let epoch = self.order.host_step();
                self.access(place, entry, epoch, ok);
            }
            (Call::PinnedFree | Call::ManagedFree, ..) if entry.outcome == Outcome::Begun => {
                let epoch = self.order.host_step();
                self.access(place, entry, epoch, !self.failed_frees.contains(&entry.seq));
            }
            (Call::EventRecord, Some(stream), Some(event)) if ok => {
                self.order.record(event, stream, entry.seq);
                self.past.recorded(stream, entry.seq);
            }
            (Call::EventRecord, Some(stream), Some(event)) => self.order.doubtful_record(event, stream),
            (Call::EventWait, Some(stream), Some(event)) if ok => match self.order.wait(stream, event) {
                Some(record) => self.past.waited(stream, entry.seq, record.stream, record.seq),
                None => self.past.waited_for_nothing(stream, entry.seq),
            },
            (Call::EventDestroy, _, Some(event)) if ok => self.order.forget_event(event),
            (Call::StreamSync | Call::StreamQuery, Some(stream), _) => {
                let wait = self.order.stream_wait(stream, entry.seq);
                self.host_wait(entry, wait);
            }
            (Call::EventSync | Call::EventQuery, _, Some(event)) => {
                let wait = self.order.event_wait(event);
                self.host_wait(entry, wait);
            }
            (Call::ContextSync, ..) => {
                if let Some(context) = entry.context {
                    let wait = self.order.context_wait(context);
                    self.host_wait(entry, wait);
                }
            }
            _ => {}
        }
    }

    /// A sync begins or ends, or a query answers; `now` is what it would show if it began here.
    fn host_wait(&mut self, entry: &Entry, now: HostWait) {
        let seen = match entry.outcome {
            Outcome::Begun => return self.order.begin(entry.seq, now),
            Outcome::Answered(true) => Some(now),
            Outcome::Ended { begun } => self.order.end(begun),
            Outcome::EndedFailed { begun, .. } => {
                self.order.end(begun);
                None
            }
            Outcome::Ok | Outcome::Answered(false) | Outcome::Failed(_) => None,
        };
        if let Some(seen) = seen {
            self.order.host_sees(&seen);
            if let Some((stream, upto)) = seen.covers {
                self.past.waited(Agent::HOST, entry.seq, stream, upto);
            }
        }
    }

    fn access(&mut self, place: usize, entry: &Entry, epoch: Epoch, ok: bool) {
        let frees = entry.call.frees();
        let role = match entry.call {
            call if call.allocates() => Role::Alloc,
            _ if frees && ok => Role::Free,
            _ => Role::Use,
        };
        let mut clashes = Vec::new();
        for (bytes, write) in disjoint(&entry.accesses) {
            if ok || self.judge.failed_access {
                let mark = Mark { epoch, place, write };
                let is_before = |earlier| self.order.is_before(earlier, epoch.agent);
                self.shadow.touch(bytes.clone(), mark, role, is_before, |clash| clashes.push((clash, write)));
            }
            if frees && !ok {
                self.shadow.doubt(bytes);
            }
        }
        self.report(entry, epoch.agent, clashes);
    }

    fn report(&mut self, entry: &Entry, agent: Agent, mut clashes: Vec<(Clash, bool)>) {
        clashes.sort_by_key(|(clash, _)| (clash.earlier.place, clash.bytes.start));
        // The same two operations clash in as many pieces as the shadow has: neighbours are one range.
        clashes.dedup_by(|(next, next_write), (clash, write)| {
            let joined = next.earlier == clash.earlier && next_write == write && clash.bytes.end == next.bytes.start;
            if joined {
                clash.bytes.end = next.bytes.end;
            }
            joined
        });
        for (clash, write) in clashes {
            let earlier = &self.entries[clash.earlier.place];
            let first = Side::new(earlier, clash.earlier.write);
            let second = Side::new(entry, write);
            let hint = self.past.hint(clash.earlier.epoch.agent, earlier.seq, agent);
            self.races.push(Race::new(first, second, clash.bytes, hint));
        }
    }
}

/// The accesses of one operation as ranges that do not overlap, in order; a byte both read and written is written.
fn disjoint(accesses: &[Access]) -> Vec<(Range<u64>, bool)> {
    let range = |access: &Access| access.ptr.0..access.ptr.0.saturating_add(access.bytes as u64);
    let mut ranges: Vec<_> = accesses.iter().map(|access| (range(access), access.write)).collect();
    ranges.retain(|(bytes, _)| !bytes.is_empty());
    ranges.sort_by_key(|(bytes, _)| bytes.start);
    if ranges.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start) {
        return ranges;
    }
    let mut cuts: Vec<u64> = ranges.iter().flat_map(|(bytes, _)| [bytes.start, bytes.end]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let piece = |pair: &[u64]| {
        let covering = ranges.iter().filter(|(bytes, _)| bytes.start <= pair[0] && pair[1] <= bytes.end);
        covering.map(|&(_, write)| write).reduce(|one, other| one || other).map(|write| (pair[0]..pair[1], write))
    };
    cuts.windows(2).filter_map(piece).collect()
}
