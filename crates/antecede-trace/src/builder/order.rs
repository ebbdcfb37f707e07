//! Streams, events and waits.

use antecede::driver::{ContextRef, EventId, StreamId, StreamKind, StreamRef};

use super::LogBuilder;
use crate::{Call, Entry, HostThread, Outcome, TracedStream};

/// `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD`: the same in every context.
const LEGACY: u64 = 1;
const PER_THREAD: u64 = 2;

impl LogBuilder {
    /// A non-blocking stream.
    pub fn stream(&mut self, name: &'static str) -> TracedStream {
        self.stream_of(StreamKind::NonBlockingStream, name)
    }

    /// A blocking stream.
    pub fn blocking(&mut self, name: &'static str) -> TracedStream {
        self.stream_of(StreamKind::BlockingStream, name)
    }

    /// A non-blocking stream whose raw handle is this one.
    pub fn stream_with_handle(&mut self, name: &'static str, handle: u64) -> TracedStream {
        self.made(Call::StreamCreate, StreamId::fresh(), StreamKind::NonBlockingStream, handle, Some(name))
    }

    /// The legacy default stream of the current context: each time the same.
    pub fn legacy(&mut self) -> TracedStream {
        self.made(Call::StreamCreate, self.context.legacy, StreamKind::LegacyStream, LEGACY, Some("Legacy"))
    }

    /// The per-thread default stream of another thread each time. What is done on it, that thread does.
    pub fn per_thread(&mut self) -> TracedStream {
        let id = StreamId::fresh();
        self.threads.insert(id, HostThread::fresh());
        self.made(Call::StreamCreate, id, StreamKind::PerThreadStream, PER_THREAD, Some("PerThread"))
    }

    /// A stream that something else made, adopted; it has no name.
    pub fn adopted(&mut self, kind: StreamKind) -> TracedStream {
        let id = StreamId::fresh();
        self.made(Call::StreamAdopt, id, kind, id.number(), None)
    }

    /// An event.
    pub fn event(&mut self) -> EventId {
        EventId::fresh()
    }

    /// An event of another process.
    pub fn imported_event(&mut self) -> EventId {
        let event = self.event();
        self.host_call(Call::EventImport, []);
        self.last().event = Some(event);
        event
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

    fn stream_of(&mut self, kind: StreamKind, name: &'static str) -> TracedStream {
        let id = StreamId::fresh();
        self.made(Call::StreamCreate, id, kind, id.number(), Some(name))
    }

    fn made(
        &mut self,
        call: Call,
        id: StreamId,
        kind: StreamKind,
        handle: u64,
        name: Option<&'static str>,
    ) -> TracedStream {
        let stream = TracedStream { stream: StreamRef { id, context: self.context, handle, kind }, name };
        self.on(call, stream, []);
        stream
    }
}
