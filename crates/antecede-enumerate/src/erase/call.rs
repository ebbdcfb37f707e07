//! What the driver is asked for.

use crate::program::{Stream, Var};

/// A stream, as calls name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Queue {
    /// One that the program names.
    Of(Stream),
    /// The stream of the device that fresh pinned memory remembers.
    Device,
}

impl Queue {
    /// Whether the legacy default stream orders it.
    pub fn is_blocking(self) -> bool {
        matches!(self, Queue::Of(stream) if stream.is_blocking())
    }

    /// Whether it is the legacy default stream.
    pub fn is_legacy(self) -> bool {
        self == Queue::Of(Stream::Legacy)
    }
}

/// An event, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Event(pub usize);

/// What is done to a buffer, or half of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Access {
    /// Which.
    pub var: Var,
    /// Whether it is written.
    pub write: bool,
}

impl Access {
    /// A write.
    pub fn write(var: Var) -> Access {
        Access { var, write: true }
    }

    /// A read.
    pub fn read(var: Var) -> Access {
        Access { var, write: false }
    }

    /// Whether both access a byte, and one of them writes it.
    pub fn conflicts(self, other: Access) -> bool {
        let (one, two) = (self.var.halves(), other.var.halves());
        let meet = self.var.whole() == other.var.whole() && one.start < two.end && two.start < one.end;
        meet && (self.write || other.write)
    }
}

/// An operation that is submitted to a stream, by what it is to the memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Work {
    /// `cuMemAllocAsync`.
    Alloc,
    /// `cuMemFreeAsync`.
    Free,
    /// `cuMemsetD8Async` and its wider forms.
    Fill,
    /// `cuMemcpyAsync`.
    Copy,
    /// `cuLaunchKernel`.
    Launch,
}

/// One driver call, or one access of the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// Work on a stream.
    Submit(Queue, Work, Vec<Access>),
    /// `cuEventRecord`.
    Record(Queue, Event),
    /// `cuStreamWaitEvent`.
    Wait(Queue, Event),
    /// `cuStreamSynchronize`.
    SyncStream(Queue),
    /// `cuEventSynchronize`.
    SyncEvent(Event),
    /// `cuCtxSynchronize`.
    SyncContext,
    /// The host accesses pinned memory.
    Host(Access),
    /// Not a call: pinned memory that went back to the cache is given to somebody else, who writes it: once the event is
    /// complete, if there is one.
    Reused(Var, Option<Event>),
}
