//! One race.

use std::fmt;
use std::ops::Range;

use antecede::driver::DevicePtr;

use super::legacy::NoLegacyEdge;
use super::past::Hint;
use crate::{Call, Entry, HostThread, TracedStream};

/// Two operations on the same bytes that nothing orders. Prints as a sentence that names the missing edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// What kind of race it is.
    pub kind: RaceKind,
    /// The operation that comes first in the log.
    pub first: Side,
    /// The one that comes later.
    pub second: Side,
    /// The first byte that both access.
    pub ptr: DevicePtr,
    /// How many bytes from there on both access.
    pub bytes: usize,
    pub(super) hint: Option<Hint>,
    pub(super) no_legacy_edge: Option<NoLegacyEdge>,
}

/// One operation of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side {
    /// Its entry in the log.
    pub seq: u64,
    /// The thread that made the call, or accessed the memory.
    pub thread: HostThread,
    /// What was asked for.
    pub call: Call,
    /// The kernel's name, for launches.
    pub kernel: Option<&'static str>,
    /// Its stream; `None` for the host.
    pub stream: Option<TracedStream>,
    /// Whether it writes the bytes.
    pub write: bool,
}

/// The kinds of race, by what the two operations do. "First" and "second" are the log's order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum RaceKind {
    /// The first allocates the bytes, and the second is not ordered after it.
    UseBeforeAlloc,
    /// One frees the bytes, and the other is not ordered before it.
    UseAfterFree,
    /// Both free the bytes.
    DoubleFree,
    /// The second allocates bytes that are in use and were not freed.
    AllocInUse,
    /// The second is an access of the host, and the host has not seen the first complete.
    HostAccessInFlight,
    /// The first writes, the second reads.
    ReadAfterWrite,
    /// The first reads, the second writes.
    WriteAfterRead,
    /// Both write.
    WriteAfterWrite,
}

impl Race {
    /// A race of which there is nothing to add.
    pub(super) fn new(first: Side, second: Side, bytes: Range<u64>) -> Self {
        let kind = RaceKind::of(&first, &second);
        Race {
            kind,
            first,
            second,
            ptr: DevicePtr(bytes.start),
            bytes: (bytes.end - bytes.start) as usize,
            hint: None,
            no_legacy_edge: None,
        }
    }
}

impl Side {
    pub(super) fn new(entry: &Entry, write: bool) -> Self {
        let Entry { seq, thread, call, kernel, stream, .. } = *entry;
        Side { seq, thread, call, kernel, stream, write }
    }

    pub(super) fn allocates(&self) -> bool {
        self.call.allocates()
    }

    pub(super) fn frees(&self) -> bool {
        self.call.frees()
    }
}

impl RaceKind {
    fn of(first: &Side, second: &Side) -> Self {
        match (first, second) {
            _ if second.allocates() => RaceKind::AllocInUse,
            _ if first.allocates() => RaceKind::UseBeforeAlloc,
            _ if first.frees() && second.frees() => RaceKind::DoubleFree,
            _ if first.frees() || second.frees() => RaceKind::UseAfterFree,
            _ if second.stream.is_none() => RaceKind::HostAccessInFlight,
            (Side { write: true, .. }, Side { write: false, .. }) => RaceKind::ReadAfterWrite,
            (Side { write: false, .. }, _) => RaceKind::WriteAfterRead,
            (Side { write: true, .. }, Side { write: true, .. }) => RaceKind::WriteAfterWrite,
        }
    }
}

impl fmt::Display for RaceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            RaceKind::UseBeforeAlloc => "use before allocation",
            RaceKind::UseAfterFree => "use after free",
            RaceKind::DoubleFree => "double free",
            RaceKind::AllocInUse => "allocation of memory in use",
            RaceKind::HostAccessInFlight => "host access in flight",
            RaceKind::ReadAfterWrite => "read after write",
            RaceKind::WriteAfterRead => "write after read",
            RaceKind::WriteAfterWrite => "write after write",
        })
    }
}
