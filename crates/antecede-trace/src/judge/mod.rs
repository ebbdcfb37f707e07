//! Judges a log: which accesses does nothing order?

mod clock;
mod legacy;
mod order;
mod past;
mod race;
mod report;
mod shadow;
mod words;

use std::collections::HashSet;
use std::ops::Range;

use antecede::driver::{Access, EventId, StreamKind};

use self::clock::Agent;
use self::legacy::NoLegacyEdge;
use self::order::{HostWait, LegacyEdge, Moment, Order};
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
///    event's latest one when the wait was submitted. A wait for an event that was not recorded orders nothing; nor does
///    one for an imported event order anything that the log shows, as its record is in another process;
/// 3. for the legacy default stream of a context: from what any blocking stream of the context was given before to an
///    operation on the legacy stream, and from that to what any blocking stream is given later. Per-thread streams are
///    blocking. Event records, event waits, fills, copies, launches, frees and host functions make this edge; an
///    allocation on the legacy stream, or on a blocking stream later, and a query make none. So two blocking streams are
///    ordered only by an operation on the legacy stream in between;
/// 4. from what a successful sync or a query answered `true` speaks of to everything that the host does next. A sync
///    speaks of what was submitted before it began; that of the legacy default stream, of the blocking streams of its
///    context too;
/// 5. the host's own order: what it does itself, and submits, comes after what it did and saw before. That one operation
///    was submitted before another, to another stream, orders nothing;
/// 6. from a free to an allocation that is given the same memory, for those bytes alone. The driver owes this edge; it
///    does not order anything else, so that no program passes by the luck of an address.
///
/// Streams are told apart by their ids, whatever their handles: the per-thread streams of two threads are two streams,
/// and so are the legacy streams of two contexts. A host function is an operation of its stream, with the accesses that
/// it was submitted with.
///
/// Memory of another process is allocated, by the host, where it is imported: every stream may use it from then on. What
/// the other process does to it is no part of the log.
///
/// A call that failed may have been submitted or not. Its accesses count, in the order that they have if it was; a
/// failed record, wait, sync or query orders nothing, nor does a failed call on the legacy stream; a failed free frees
/// nothing, yet its block may be allocated anew.
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
    /// Events that another process records.
    imported: HashSet<EventId>,
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
            imported: HashSet::new(),
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
                let edge = match ok {
                    _ if entry.call.allocates() => LegacyEdge::None,
                    true => LegacyEdge::Made,
                    false => LegacyEdge::Doubtful,
                };
                let moment = self.order.submit(stream, edge);
                self.access(place, entry, &moment, ok);
            }
            (Call::HostRead | Call::HostWrite | Call::PinnedAlloc | Call::ManagedAlloc | Call::PointerImport, ..) => {
                let moment = self.order.host_step();
                self.access(place, entry, &moment, ok);
            }
            // The rest of an imported block, which was allocated where its first byte was.
            (Call::AllocationBytes, ..) => {
                disjoint(&entry.accesses).into_iter().for_each(|(bytes, _)| self.shadow.revive(bytes));
            }
            (Call::PinnedFree | Call::ManagedFree, ..) if entry.outcome == Outcome::Begun => {
                let moment = self.order.host_step();
                self.access(place, entry, &moment, !self.failed_frees.contains(&entry.seq));
            }
            (Call::EventRecord, Some(stream), Some(event)) if ok => {
                self.order.record(event, stream, entry.seq);
                self.past.recorded(stream, entry.seq);
            }
            (Call::EventRecord, Some(stream), Some(event)) => self.order.doubtful_record(event, stream),
            (Call::EventWait, Some(stream), Some(event)) if ok => match self.order.wait(stream, event) {
                Some(record) => self.past.waited(stream, entry.seq, record.stream, record.seq),
                None if self.imported.contains(&event) => {}
                None => self.past.waited_for_nothing(stream, entry.seq),
            },
            (Call::EventImport, _, Some(event)) if ok => {
                self.imported.insert(event);
            }
            (Call::EventDestroy, _, Some(event)) if ok => {
                self.imported.remove(&event);
                self.order.forget_event(event);
            }
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
            Outcome::Begun => return self.order.begin_wait(entry.seq, now),
            Outcome::Answered(true) => Some(now),
            Outcome::Ended { begun } => self.order.end_wait(begun),
            Outcome::EndedFailed { begun, .. } => {
                self.order.end_wait(begun);
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

    fn access(&mut self, place: usize, entry: &Entry, moment: &Moment, ok: bool) {
        let frees = entry.call.frees();
        let role = match entry.call {
            call if call.allocates() => Role::Alloc,
            _ if frees && ok => Role::Free,
            _ => Role::Use,
        };
        let mut clashes = Vec::new();
        for (bytes, write) in disjoint(&entry.accesses) {
            if ok || self.judge.failed_access {
                let mark = Mark { epoch: moment.epoch, place, write };
                let is_before = |earlier| self.order.is_before(earlier, moment);
                self.shadow.touch(bytes.clone(), mark, role, is_before, |clash| clashes.push((clash, write)));
            }
            if frees && !ok {
                self.shadow.doubt(bytes);
            }
        }
        self.report(entry, moment.epoch.agent, clashes);
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
            let no_legacy_edge = self.no_legacy_edge(&first, &second);
            self.races.push(Race { hint, no_legacy_edge, ..Race::new(first, second, clash.bytes) });
        }
    }

    /// What the report of a race says of the legacy default stream, if anything.
    fn no_legacy_edge(&self, first: &Side, second: &Side) -> Option<NoLegacyEdge> {
        let first_on = first.stream?.stream;
        let legacy = self.order.legacy_of(first_on.context.id);
        if second.stream.is_some() {
            return NoLegacyEdge::between(first, second, legacy.is_some());
        }
        // The host has waited for the legacy default stream since, as if that waited for all streams.
        let has_waited = self.past.has_waited(Agent::HOST, legacy?, first.seq);
        (has_waited && first_on.kind == StreamKind::NonBlockingStream).then_some(NoLegacyEdge::FirstIsNonBlocking)
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
