//! One line of a log.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use antecede::driver::{Access, ContextId, DriverError, EventId, StreamKind, StreamRef};

use crate::Call;

/// One driver call, one end of a call that waits, or one host access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The entry's number in its log. Numbers grow; [`Trace::clear`](crate::Trace::clear) does not start them anew.
    pub seq: u64,
    /// The host thread that made the call.
    pub thread: HostThread,
    /// What was asked for.
    pub call: Call,
    /// The stream that it was asked of, if any. For [`Call::EventWait`], the stream that waits.
    pub stream: Option<TracedStream>,
    /// The context that the call speaks of; `None` for host accesses and [`Call::DeviceCount`].
    pub context: Option<ContextId>,
    /// The event that the call speaks of, if any.
    pub event: Option<EventId>,
    /// The byte ranges that the operation reads and writes. An allocation and a free write their whole block. An import
    /// ([`Call::PointerImport`]) writes one byte, as no more is known of the block, and the first
    /// [`Call::AllocationBytes`] after it the rest.
    pub accesses: Vec<Access>,
    /// The kernel's name in its declaration, for launches.
    pub kernel: Option<&'static str>,
    /// What came of the call.
    pub outcome: Outcome,
}

/// What came of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It returned `Ok`.
    Ok,
    /// A query returned `Ok` with this answer: whether everything that it asked about has taken effect.
    Answered(bool),
    /// It returned this error.
    Failed(DriverError),
    /// It has begun; a later entry says how it ended.
    Begun,
    /// It returned `Ok`, having begun at the entry of that number.
    Ended {
        /// [`Entry::seq`] of the beginning.
        begun: u64,
    },
    /// It returned this error, having begun at the entry of that number.
    EndedFailed {
        /// [`Entry::seq`] of the beginning.
        begun: u64,
        /// The error.
        error: DriverError,
    },
}

impl Outcome {
    /// The error that the call returned, if it did.
    pub fn error(&self) -> Option<&DriverError> {
        match self {
            Outcome::Failed(error) | Outcome::EndedFailed { error, .. } => Some(error),
            Outcome::Ok | Outcome::Answered(_) | Outcome::Begun | Outcome::Ended { .. } => None,
        }
    }
}

/// A stream as a log names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TracedStream {
    /// The stream. Streams are told apart by its `id` and its context's, never by the handle.
    pub stream: StreamRef,
    /// The name given at its creation; `None` if the trace did not see that, or it was adopted.
    pub name: Option<&'static str>,
}

/// Built-in streams print as what they are: `Legacy`, `PerThread`.
impl fmt::Display for TracedStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.stream.kind, self.name) {
            (StreamKind::LegacyStream, _) => f.write_str("`Legacy`"),
            (StreamKind::PerThreadStream, _) => f.write_str("`PerThread`"),
            (_, Some(name)) => write!(f, "`{name}`"),
            (_, None) => write!(f, "number {}", self.stream.id.number()),
        }
    }
}

/// A host thread, numbered in the order in which threads were first seen. Numbers are never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HostThread(u64);

impl HostThread {
    /// The calling thread.
    pub fn current() -> Self {
        thread_local! {
            // A plain number has no destructor, so the destructors of other thread-locals still find it.
            static NUMBER: u64 = HostThread::fresh().0;
        }
        HostThread(NUMBER.with(|number| *number))
    }

    /// A thread that no other number stands for.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        HostThread(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// The number.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:<5} thread {:<3} {:<26}", self.seq, self.thread.0, self.call)?;
        if let Some(kernel) = self.kernel {
            write!(f, " `{kernel}`")?;
        }
        if let Some(event) = self.event {
            write!(f, " event {}", event.number())?;
        }
        match (self.stream, self.context) {
            (Some(stream), _) => write!(f, " stream {stream}")?,
            (None, Some(context)) => write!(f, " context {}", context.number())?,
            (None, None) => {}
        }
        for access in &self.accesses {
            let verb = if access.write { "writes" } else { "reads" };
            write!(f, ", {verb} {} bytes at {:?}", access.bytes, access.ptr)?;
        }
        match &self.outcome {
            Outcome::Ok => Ok(()),
            Outcome::Answered(true) => f.write_str(": complete"),
            Outcome::Answered(false) => f.write_str(": not complete yet"),
            Outcome::Failed(error) => write!(f, ": {error}"),
            Outcome::Begun => f.write_str(", begins"),
            Outcome::Ended { begun } => write!(f, ", ends (began at #{begun})"),
            Outcome::EndedFailed { begun, error } => write!(f, ", ends (began at #{begun}): {error}"),
        }
    }
}
