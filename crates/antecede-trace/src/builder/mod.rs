//! Hand-made logs.

mod order;
mod work;

use std::collections::HashMap;
use std::ops::Range;

use antecede::driver::{Access, ContextId, ContextRef, DevicePtr, DriverError, ErrorKind, StreamId};

use crate::{Call, Entry, HostThread, Log, Outcome, TracedStream};

/// Writes a log by hand, as a trace would have written it, for tests of whatever reads logs.
///
/// Methods that add an entry return its number; for calls that wait, the number of their beginning. Everything is done
/// by the calling thread, but what is done on a [per-thread stream](LogBuilder::per_thread).
#[derive(Debug)]
pub struct LogBuilder {
    context: ContextRef,
    entries: Vec<Entry>,
    next_address: u64,
    /// The threads that per-thread streams are of.
    threads: HashMap<StreamId, HostThread>,
}

/// A range of memory in a hand-made log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// First byte.
    pub ptr: DevicePtr,
    /// Length in bytes.
    pub bytes: usize,
}

impl Block {
    /// The bytes of this range within the block.
    ///
    /// # Panics
    /// If the range does not lie in the block.
    pub fn part(self, range: Range<usize>) -> Block {
        assert!(range.start <= range.end && range.end <= self.bytes, "{range:?} is not within {} bytes", self.bytes);
        Block { ptr: self.ptr.offset(range.start), bytes: range.end - range.start }
    }

    fn access(self, write: bool) -> Access {
        Access { ptr: self.ptr, bytes: self.bytes, write }
    }
}

impl LogBuilder {
    /// An empty log with one context.
    pub fn new() -> Self {
        let context = ContextRef { id: ContextId::fresh(), ordinal: 0, handle: 1, legacy: StreamId::fresh() };
        LogBuilder { context, entries: Vec::new(), next_address: 0x1000, threads: HashMap::new() }
    }

    /// The log.
    pub fn finish(self) -> Log {
        self.entries.into_iter().collect()
    }

    /// The context that streams are made in.
    pub fn context(&self) -> ContextRef {
        self.context
    }

    /// Opens another context, in which streams are made from now on.
    pub fn next_context(&mut self) -> ContextRef {
        let (ordinal, handle) = (self.context.ordinal + 1, self.context.handle + 1);
        self.context = ContextRef { id: ContextId::fresh(), ordinal, handle, legacy: StreamId::fresh() };
        self.context
    }

    /// Makes the last entry one of a call that failed. A failed allocation has no memory.
    ///
    /// # Panics
    /// If the log is empty.
    pub fn failed(&mut self) {
        let last = self.last();
        let error = DriverError {
            call: last.call.cuda_name(),
            kind: ErrorKind::Injected,
            code: 999,
            message: "injected".into(),
        };
        if last.call.allocates() {
            last.accesses.clear();
        }
        last.outcome = match last.outcome {
            Outcome::Ended { begun } => Outcome::EndedFailed { begun, error },
            _ => Outcome::Failed(error),
        };
    }

    fn on(&mut self, call: Call, stream: TracedStream, accesses: impl IntoIterator<Item = Access>) -> u64 {
        let seq = self.host_call(call, accesses);
        let thread = self.threads.get(&stream.stream.id).copied();
        let last = self.last();
        last.thread = thread.unwrap_or(last.thread);
        last.stream = Some(stream);
        last.context = Some(stream.stream.context.id);
        seq
    }

    fn host_access(&mut self, call: Call, access: Access) -> u64 {
        let seq = self.host_call(call, [access]);
        self.last().context = None;
        seq
    }

    fn host_call(&mut self, call: Call, accesses: impl IntoIterator<Item = Access>) -> u64 {
        self.push(Entry {
            seq: 0,
            thread: HostThread::current(),
            call,
            stream: None,
            context: Some(self.context.id),
            event: None,
            accesses: accesses.into_iter().collect(),
            kernel: None,
            outcome: Outcome::Ok,
        })
    }

    fn push(&mut self, entry: Entry) -> u64 {
        let seq = self.entries.len() as u64 + 1;
        self.entries.push(Entry { seq, ..entry });
        seq
    }

    fn last(&mut self) -> &mut Entry {
        self.entries.last_mut().expect("the log has an entry")
    }
}

impl Default for LogBuilder {
    fn default() -> Self {
        LogBuilder::new()
    }
}
