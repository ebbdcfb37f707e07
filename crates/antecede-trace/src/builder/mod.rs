//! Hand-made logs.

use std::ops::Range;

use antecede::driver::{
    Access, ContextId, ContextRef, DevicePtr, DriverError, ErrorKind, EventId, StreamId, StreamKind, StreamRef,
};

use crate::{Call, Entry, HostThread, Log, Outcome, TracedStream};

/// Writes a log by hand, as a trace would have written it, for tests of whatever reads logs.
///
/// Methods that add an entry return its number; for calls that wait, the number of their beginning.
#[derive(Debug)]
pub struct LogBuilder {
    context: ContextRef,
    entries: Vec<Entry>,
    next_address: u64,
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
        LogBuilder { context, entries: Vec::new(), next_address: 0x1000 }
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

    /// A non-blocking stream.
    pub fn stream(&mut self, name: &'static str) -> TracedStream {
        let id = StreamId::fresh();
        self.stream_with_handle(name, id.number())
    }

    /// A non-blocking stream whose raw handle is this one.
    pub fn stream_with_handle(&mut self, name: &'static str, handle: u64) -> TracedStream {
        let kind = StreamKind::NonBlocking;
        let stream = StreamRef { id: StreamId::fresh(), context: self.context, handle, kind };
        let stream = TracedStream { stream, name: Some(name) };
        self.on(Call::StreamCreate, stream, []);
        stream
    }

    /// An event.
    pub fn event(&mut self) -> EventId {
        EventId::fresh()
    }

    /// Memory whose allocation is not in the log.
    pub fn outside(&mut self, bytes: usize) -> Block {
        let ptr = DevicePtr(self.next_address);
        self.next_address += (bytes as u64).next_multiple_of(256);
        Block { ptr, bytes }
    }

    /// Allocates in stream order.
    pub fn alloc(&mut self, stream: TracedStream, bytes: usize) -> Block {
        let block = self.outside(bytes);
        self.alloc_at(stream, block);
        block
    }

    /// Allocates in stream order, at an address that was in use before.
    pub fn alloc_at(&mut self, stream: TracedStream, block: Block) -> u64 {
        self.on(Call::Alloc, stream, [block.access(true)])
    }

    /// Frees in stream order.
    pub fn free(&mut self, stream: TracedStream, block: Block) -> u64 {
        self.on(Call::Free, stream, [block.access(true)])
    }

    /// Writes a block by a fill.
    pub fn fill(&mut self, stream: TracedStream, block: Block) -> u64 {
        self.on(Call::Fill, stream, [block.access(true)])
    }

    /// Copies a block to one of the same size.
    pub fn copy(&mut self, stream: TracedStream, dst: Block, src: Block) -> u64 {
        self.on(Call::Copy, stream, [src.access(false), dst.access(true)])
    }

    /// Launches a kernel.
    pub fn launch(&mut self, stream: TracedStream, kernel: &'static str, reads: &[Block], writes: &[Block]) -> u64 {
        let reads = reads.iter().map(|block| block.access(false));
        let writes = writes.iter().map(|block| block.access(true));
        let seq = self.on(Call::Launch, stream, reads.chain(writes));
        self.last().kernel = Some(kernel);
        seq
    }

    /// Records an event.
    pub fn record(&mut self, event: EventId, stream: TracedStream) -> u64 {
        let seq = self.on(Call::EventRecord, stream, []);
        self.last().event = Some(event);
        seq
    }

    /// Makes a stream wait for an event.
    pub fn wait(&mut self, stream: TracedStream, event: EventId) -> u64 {
        let seq = self.on(Call::EventWait, stream, []);
        self.last().event = Some(event);
        seq
    }

    /// Asks whether a stream has completed.
    pub fn query(&mut self, stream: TracedStream, answer: bool) -> u64 {
        let seq = self.on(Call::StreamQuery, stream, []);
        self.last().outcome = Outcome::Answered(answer);
        seq
    }

    /// Asks whether an event has completed.
    pub fn event_query(&mut self, event: EventId, answer: bool) -> u64 {
        let seq = self.host_call(Call::EventQuery, []);
        self.last().event = Some(event);
        self.last().outcome = Outcome::Answered(answer);
        seq
    }

    /// Synchronises a stream, with nothing between the beginning and the end.
    pub fn sync(&mut self, stream: TracedStream) -> u64 {
        let begun = self.begin_sync(stream);
        self.end(begun);
        begun
    }

    /// Synchronises an event.
    pub fn event_sync(&mut self, event: EventId) -> u64 {
        let begun = self.begin_event_sync(event);
        self.end(begun);
        begun
    }

    /// Synchronises a context.
    pub fn context_sync(&mut self, context: ContextRef) -> u64 {
        let begun = self.host_call(Call::ContextSync, []);
        self.last().context = Some(context.id);
        self.last().outcome = Outcome::Begun;
        self.end(begun);
        begun
    }

    /// Begins to synchronise a stream.
    pub fn begin_sync(&mut self, stream: TracedStream) -> u64 {
        let begun = self.on(Call::StreamSync, stream, []);
        self.last().outcome = Outcome::Begun;
        begun
    }

    /// Begins to synchronise an event.
    pub fn begin_event_sync(&mut self, event: EventId) -> u64 {
        let begun = self.host_call(Call::EventSync, []);
        self.last().event = Some(event);
        self.last().outcome = Outcome::Begun;
        begun
    }

    /// Ends what began at that entry.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn end(&mut self, begun: u64) -> u64 {
        let place = self.entries.iter().rposition(|entry| entry.seq == begun).expect("the beginning is in the log");
        let begin = &self.entries[place];
        let end = Entry { accesses: Vec::new(), outcome: Outcome::Ended { begun }, ..begin.clone() };
        self.push(end)
    }

    /// Allocates pinned memory.
    pub fn pinned_alloc(&mut self, bytes: usize) -> Block {
        let block = self.outside(bytes);
        self.pinned_alloc_at(block);
        block
    }

    /// Allocates pinned memory at an address that was in use before.
    pub fn pinned_alloc_at(&mut self, block: Block) -> u64 {
        self.host_call(Call::PinnedAlloc, [block.access(true)])
    }

    /// Frees pinned memory.
    pub fn pinned_free(&mut self, block: Block) -> u64 {
        let begun = self.host_call(Call::PinnedFree, [block.access(true)]);
        self.last().outcome = Outcome::Begun;
        self.end(begun);
        begun
    }

    /// The host reads pinned memory.
    pub fn host_read(&mut self, block: Block) -> u64 {
        self.host_access(Call::HostRead, block.access(false))
    }

    /// The host writes pinned memory.
    pub fn host_write(&mut self, block: Block) -> u64 {
        self.host_access(Call::HostWrite, block.access(true))
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
        let last = self.last();
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
