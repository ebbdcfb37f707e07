//! What a timeline consists of, apart from its lanes.

use crate::Call;

/// One operation, one wait or one host access.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// Number of its entry in the log; for what has two entries, that of the beginning.
    pub seq: u64,
    /// Its lane: a place in [`Timeline::lanes`](super::Timeline::lanes).
    pub lane: usize,
    /// What it is.
    pub kind: BarKind,
    /// The kernel's name, or the plain word for the call.
    pub label: String,
    /// Bytes that it reads and writes.
    pub bytes: u64,
    /// Whether the call returned an error.
    pub failed: bool,
    /// When it starts, in the timeline's [`Scale`](super::Scale).
    pub start: f64,
    /// When it ends.
    pub end: f64,
}

/// What a bar stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum BarKind {
    /// A kernel.
    Kernel,
    /// A copy, also between devices.
    Copy,
    /// A fill.
    Fill,
    /// A host function, called in stream order.
    HostFn,
    /// An allocation, in stream order or not.
    Alloc,
    /// A free, in stream order or not.
    Free,
    /// An event record.
    Record,
    /// A stream waits for an event. It may go on when the bar ends.
    Wait,
    /// The host waits for an event, a stream or a context, or was told by a query that it has completed.
    Sync,
    /// The host reads or writes pinned or managed memory.
    HostAccess,
}

/// From what is waited for to the wait: from an event record to the [`Wait`](BarKind::Wait) or
/// [`Sync`](BarKind::Sync) for it, or from the last operation of a stream to the `Sync` of that stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// The place in [`Timeline::bars`](super::Timeline::bars) of what is waited for.
    pub from: usize,
    /// The place of the wait.
    pub to: usize,
}

impl BarKind {
    /// What a call is drawn as, if it is drawn at all.
    pub(super) fn of(call: Call) -> Option<Self> {
        Some(match call {
            Call::Launch => BarKind::Kernel,
            Call::Copy | Call::PeerCopy => BarKind::Copy,
            Call::Fill => BarKind::Fill,
            Call::HostFn => BarKind::HostFn,
            call if call.allocates() => BarKind::Alloc,
            call if call.frees() => BarKind::Free,
            Call::EventRecord => BarKind::Record,
            Call::EventWait => BarKind::Wait,
            Call::StreamSync | Call::EventSync | Call::ContextSync | Call::StreamQuery | Call::EventQuery => {
                BarKind::Sync
            }
            Call::HostRead | Call::HostWrite => BarKind::HostAccess,
            _ => return None,
        })
    }

    /// Whether it is a wait, which lasts until something else has ended.
    pub const fn waits(self) -> bool {
        matches!(self, BarKind::Wait | BarKind::Sync)
    }

    /// The word for legends and categories.
    pub const fn word(self) -> &'static str {
        match self {
            BarKind::Kernel => "kernel",
            BarKind::Copy => "copy",
            BarKind::Fill => "fill",
            BarKind::HostFn => "host function",
            BarKind::Alloc => "alloc",
            BarKind::Free => "free",
            BarKind::Record => "record",
            BarKind::Wait => "wait",
            BarKind::Sync => "host sync",
            BarKind::HostAccess => "host access",
        }
    }
}
