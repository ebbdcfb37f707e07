//! Ground truth by brute force: for each entry, the set of entries that happen before it.

use std::collections::BTreeSet;

use antecede::driver::{EventId, StreamKind};
use antecede_trace::{Call, Entry, Log, Outcome};

use super::Clash;

/// Places of entries, as bits.
type Set = u128;

/// Every pair that races, byte by byte. Of earlier operations that another one stands for, none is named.
pub(crate) fn clashes(log: &Log) -> BTreeSet<Clash> {
    let entries = log.entries();
    let orders = happens_before(entries);
    let ranges = entries.iter().flat_map(|entry| &entry.accesses);
    let bytes: BTreeSet<u64> = ranges.flat_map(|access| access.ptr.0..access.ptr.0 + access.bytes as u64).collect();
    bytes.into_iter().flat_map(|byte| clashes_at(byte, entries, &orders)).collect()
}

fn clashes_at(byte: u64, entries: &[Entry], orders: &[Before]) -> Vec<Clash> {
    let mut clashes = Vec::new();
    // The accesses since the byte was last allocated, as (place, writes).
    let mut uses: Vec<(usize, bool)> = Vec::new();
    let (mut freed_by, mut perhaps_freed) = (None::<usize>, false);
    for (place, entry) in entries.iter().enumerate() {
        let here =
            entry.accesses.iter().filter(|access| (access.ptr.0..access.ptr.0 + access.bytes as u64).contains(&byte));
        let Some(write) = here.map(|access| access.write).reduce(|one, other| one | other) else { continue };
        let allocates = matches!(
            entry.call,
            Call::Alloc | Call::PoolAlloc | Call::PinnedAlloc | Call::ManagedAlloc | Call::PointerImport
        );
        let frees = matches!(entry.call, Call::Free | Call::PinnedFree | Call::ManagedFree);
        if let Some(free) = freed_by {
            if allocates {
                (freed_by, perhaps_freed, uses) = (None, false, vec![(place, true)]);
            } else {
                clashes.push((entries[free].seq, entry.seq, byte));
            }
            continue;
        }
        let stands_for = |later: (usize, bool), earlier: (usize, bool)| {
            has(orders[later.0].surely, earlier.0) && (later.1 || !earlier.1)
        };
        if !(allocates && perhaps_freed) {
            for (index, &earlier) in uses.iter().enumerate() {
                let conflict = (earlier.1 || write) && !has(orders[place].if_submitted, earlier.0);
                if conflict && !uses[index + 1..].iter().any(|&later| stands_for(later, earlier)) {
                    clashes.push((entries[earlier.0].seq, entry.seq, byte));
                }
            }
        }
        if allocates {
            (perhaps_freed, uses) = (false, Vec::new());
        }
        uses.push((place, write));
        match frees {
            true if succeeds(entry, entries) => freed_by = Some(place),
            true => perhaps_freed = true,
            false => {}
        }
    }
    clashes
}

pub(crate) fn has(set: Set, place: usize) -> bool {
    set >> place & 1 == 1
}

/// Whether the call succeeded; for a beginning, whether its end did.
fn succeeds(entry: &Entry, entries: &[Entry]) -> bool {
    let fails = |end: &Entry| matches!(end.outcome, Outcome::EndedFailed { begun, .. } if begun == entry.seq);
    entry.outcome.error().is_none() && !entries.iter().any(fails)
}

/// What happens before an entry.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) surely: Set,
    /// The same and more, if the entry's call, which failed, was submitted.
    if_submitted: Set,
}

/// For each entry, in order, everything that happens before it.
pub(crate) fn happens_before(entries: &[Entry]) -> Vec<Before> {
    assert!(entries.len() <= Set::BITS as usize, "a set has a bit for each entry");
    let mut orders: Vec<Before> = Vec::new();
    for place in 0..entries.len() {
        let before = Graph { entries, orders: &orders }.before(place);
        orders.push(before);
    }
    orders
}

struct Graph<'a> {
    entries: &'a [Entry],
    orders: &'a [Before],
}

impl Graph<'_> {
    fn before(&self, place: usize) -> Before {
        let surely = self.surely_before(place);
        let legacy = self.legacy_edges(place);
        match self.entries[place].outcome.error() {
            None => Before { surely: surely | legacy, if_submitted: surely | legacy },
            Some(_) => Before { surely, if_submitted: surely | legacy },
        }
    }

    /// What the legacy default stream orders before an operation.
    fn legacy_edges(&self, place: usize) -> Set {
        let entry = &self.entries[place];
        let in_context = |other: &Entry| other.context == entry.context;
        match kind(entry) {
            Some(StreamKind::LegacyStream) if makes_legacy_edge(entry) => {
                self.submitted(place, |other| in_context(other) && is_blocking(other))
            }
            Some(StreamKind::BlockingStream | StreamKind::PerThreadStream) if makes_legacy_edge(entry) => self
                .submitted(place, |other| {
                    let is_sure = makes_legacy_edge(other) && other.outcome.error().is_none();
                    in_context(other) && kind(other) == Some(StreamKind::LegacyStream) && is_sure
                }),
            _ => 0,
        }
    }

    /// Everything else.
    fn surely_before(&self, place: usize) -> Set {
        let entry = &self.entries[place];
        let mut set: Set = 0;
        if is_submission(entry) {
            // Stream order, and all that the host has done or seen.
            set |= self.submitted(place, |other| same_stream(other, entry));
        }
        if is_submission(entry) || is_of_host(entry) {
            let hosts = (0..place).filter(|&other| is_of_host(&self.entries[other]));
            set |= hosts.fold(0, |set, host| set | self.upto(host));
        }
        match (entry.call, &entry.outcome) {
            (Call::EventWait, Outcome::Ok) => set |= self.recorded(entry.event, place, place),
            (Call::EventQuery, Outcome::Answered(true)) => set |= self.recorded(entry.event, place, place),
            (Call::EventSync, &Outcome::Ended { begun }) => {
                set |= self.recorded(entry.event, self.place(begun), place);
            }
            (Call::StreamQuery, Outcome::Answered(true)) => {
                set |= self.submitted(place, |other| speaks_of(entry, other));
            }
            (Call::StreamSync, &Outcome::Ended { begun }) => {
                set |= self.submitted(self.place(begun), |other| speaks_of(entry, other));
            }
            (Call::ContextSync, &Outcome::Ended { begun }) => {
                set |= self.submitted(self.place(begun), |other| other.context == entry.context);
            }
            _ => {}
        }
        set
    }

    /// What a wait that begins and ends there is surely for: what comes before every record that it may mean.
    fn recorded(&self, event: Option<EventId>, begin: usize, end: usize) -> Set {
        let is_record =
            |&place: &usize| self.entries[place].call == Call::EventRecord && self.entries[place].event == event;
        let latest = (0..begin).filter(is_record).rfind(|&place| self.entries[place].outcome == Outcome::Ok);
        let Some(latest) = latest else { return 0 };
        let candidates = (latest..end).filter(is_record).map(|record| self.orders[record].if_submitted | 1 << record);
        candidates.reduce(|one, other| one & other).expect("the latest record is one")
    }

    /// What was submitted before that place to streams that fit, with all that comes before it.
    fn submitted(&self, place: usize, fits: impl Fn(&Entry) -> bool) -> Set {
        let submissions = (0..place).filter(|&other| is_submission(&self.entries[other]) && fits(&self.entries[other]));
        submissions.fold(0, |set, other| set | self.upto(other))
    }

    fn upto(&self, place: usize) -> Set {
        self.orders[place].surely | 1 << place
    }

    fn place(&self, seq: u64) -> usize {
        self.entries.iter().position(|entry| entry.seq == seq).expect("the entry is in the log")
    }
}

/// Whether the entry is work of a stream.
fn is_submission(entry: &Entry) -> bool {
    matches!(entry.call, Call::Alloc | Call::PoolAlloc) || makes_legacy_edge(entry)
}

/// Whether the entry is work that the legacy default stream orders, failed or not.
fn makes_legacy_edge(entry: &Entry) -> bool {
    match entry.call {
        Call::EventWait => entry.outcome.error().is_none(),
        Call::EventRecord | Call::Fill | Call::Copy | Call::PeerCopy | Call::Launch | Call::Free | Call::HostFn => true,
        _ => false,
    }
}

fn kind(entry: &Entry) -> Option<StreamKind> {
    entry.stream.map(|stream| stream.stream.kind)
}

fn is_blocking(entry: &Entry) -> bool {
    matches!(kind(entry), Some(StreamKind::BlockingStream | StreamKind::PerThreadStream))
}

/// Whether a wait for a stream is one for that work too.
fn speaks_of(wait: &Entry, work: &Entry) -> bool {
    let of_legacy = kind(wait) == Some(StreamKind::LegacyStream) && wait.context == work.context && is_blocking(work);
    same_stream(wait, work) || of_legacy
}

/// Whether the host does something there, or sees something complete.
fn is_of_host(entry: &Entry) -> bool {
    match entry.call {
        Call::HostRead | Call::HostWrite | Call::PinnedAlloc | Call::ManagedAlloc | Call::PointerImport => true,
        Call::PinnedFree | Call::ManagedFree => entry.outcome == Outcome::Begun,
        Call::StreamSync | Call::EventSync | Call::ContextSync => matches!(entry.outcome, Outcome::Ended { .. }),
        Call::StreamQuery | Call::EventQuery => entry.outcome == Outcome::Answered(true),
        _ => false,
    }
}

fn same_stream(one: &Entry, other: &Entry) -> bool {
    let id = |entry: &Entry| entry.stream.map(|stream| (stream.stream.context.id, stream.stream.id));
    id(one) == id(other)
}
