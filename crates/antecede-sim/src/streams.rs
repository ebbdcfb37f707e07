//! Streams by handle and by id: created, built in, and made by something else.

use std::collections::BTreeMap;

use antecede::driver::{ContextId, ContextRef, DriverResult, ErrorKind, StreamId, StreamKind, StreamRef};

use crate::Call;
use crate::error::{CaptureRefusal, capture_refuses, error, invalid_handle, invalid_value};
use crate::queue::Point;
use crate::state::{Handles, State};
use crate::thread::ThreadNumber;

/// CUDA's handles of the built-in streams, the same in every context.
pub(crate) const LEGACY: u64 = 1;
pub(crate) const PER_THREAD: u64 = 2;

/// The lowest and the highest priority of a stream.
pub(crate) const PRIORITIES: (i32, i32) = (0, -5);

/// How the library came by a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Created,
    BuiltIn,
    Adopted,
}

/// A stream as the library knows it.
#[derive(Debug)]
struct StreamEntry {
    context: ContextRef,
    handle: u64,
    kind: StreamKind,
    origin: Origin,
    priority: i32,
    /// Several ids may name one queue: a stream can be adopted twice.
    queue: StreamId,
}

/// A stream behind a handle, made by the library or by something else.
#[derive(Debug)]
struct Made {
    context: ContextId,
    kind: StreamKind,
    queue: StreamId,
    foreign: bool,
}

/// The streams that are not destroyed.
#[derive(Debug)]
pub(crate) struct Streams {
    entries: BTreeMap<StreamId, StreamEntry>,
    made: BTreeMap<u64, Made>,
    /// Made when they are first asked for. Those of threads that have ended stay.
    per_thread: BTreeMap<(ContextId, ThreadNumber), StreamId>,
    handles: Handles,
}

impl Default for Streams {
    fn default() -> Self {
        let (entries, made, per_thread) = Default::default();
        Streams { entries, made, per_thread, handles: Handles::from(0x5000) }
    }
}

impl Streams {
    /// How many the library has created and not destroyed.
    pub(crate) fn created(&self) -> usize {
        self.entries.values().filter(|entry| entry.origin == Origin::Created).count()
    }

    pub(crate) fn priority(&self, stream: StreamId) -> Option<i32> {
        self.entries.get(&stream).map(|entry| entry.priority)
    }
}

impl State {
    pub(crate) fn add_legacy_stream(&mut self, ordinal: u32) {
        let Some(context) = self.context_ref(ordinal) else { return };
        let (kind, queue) = (StreamKind::LegacyStream, context.legacy);
        let entry = StreamEntry { context, handle: LEGACY, kind, origin: Origin::BuiltIn, priority: 0, queue };
        self.streams.entries.insert(queue, entry);
        self.queues.add(queue, context.id, kind);
    }

    pub(crate) fn create_stream(
        &mut self,
        context: &ContextRef,
        id: StreamId,
        kind: StreamKind,
        priority: i32,
    ) -> DriverResult<u64> {
        let call = Call::StreamCreate;
        self.context(call, context)?;
        match kind {
            StreamKind::NonBlockingStream | StreamKind::BlockingStream => {}
            StreamKind::LegacyStream if id == context.legacy => return Ok(LEGACY),
            StreamKind::LegacyStream => return Err(invalid_value(call, format!("{id:?} is not the legacy stream's"))),
            StreamKind::PerThreadStream => {
                let queue = self.per_thread(context.id);
                self.name(call, context, id, PER_THREAD, (queue, kind), Origin::BuiltIn)?;
                return Ok(PER_THREAD);
            }
            other => return Err(error(call, ErrorKind::NotSupported, format!("streams of kind {other:?}"))),
        }
        if self.streams.entries.contains_key(&id) || self.queues.context(id).is_some() {
            return Err(invalid_value(call, format!("{id:?} is in use")));
        }
        let handle = self.make(context.id, id, kind, false);
        let priority = priority.clamp(PRIORITIES.1, PRIORITIES.0);
        let entry = StreamEntry { context: *context, handle, kind, origin: Origin::Created, priority, queue: id };
        self.streams.entries.insert(id, entry);
        Ok(handle)
    }

    pub(crate) fn destroy_stream(&mut self, stream: &StreamRef) -> DriverResult {
        let call = Call::StreamDestroy;
        self.stream(call, stream)?;
        match self.streams.entries.get(&stream.id).map(|entry| entry.origin) {
            Some(Origin::Created) => {
                self.streams.entries.remove(&stream.id);
                self.unmake(stream.handle);
                Ok(())
            }
            Some(Origin::BuiltIn) => Ok(()),
            _ => Err(invalid_value(call, "an adopted stream is another's to destroy")),
        }
    }

    /// Makes `id` a name of a stream that is there already.
    pub(crate) fn adopt(&mut self, context: &ContextRef, handle: u64, id: StreamId) -> DriverResult<StreamKind> {
        let call = Call::StreamAdopt;
        self.context(call, context)?;
        let Some((queue, kind)) = self.behind(context, handle) else {
            return Err(match self.streams.made.get(&handle) {
                Some(_) => error(call, ErrorKind::InvalidContext, "the stream is of another context"),
                None => invalid_handle(call, format!("no stream with handle {handle:#x}")),
            });
        };
        if self.is_capturing(call, context, (queue, kind))? {
            return Err(capture_refuses(call, CaptureRefusal::Unsupported));
        }
        self.name(call, context, id, handle, (queue, kind), Origin::Adopted)?;
        Ok(kind)
    }

    /// Checks that the stream is one of this driver's, in the context it names, and not destroyed. Returns its queue.
    pub(crate) fn stream(&mut self, call: Call, stream: &StreamRef) -> DriverResult<StreamId> {
        self.context(call, &stream.context)?;
        let StreamRef { id, context, handle, kind } = *stream;
        let known = self.streams.entries.get(&id);
        let known = known.filter(|entry| (entry.context, entry.handle, entry.kind) == (context, handle, kind));
        let Some(queue) = known.map(|entry| entry.queue) else {
            return Err(invalid_handle(call, format!("no stream with handle {handle:#x} and this id and kind")));
        };
        match self.behind(&context, handle) {
            Some((now, _)) if now == queue => Ok(queue),
            _ if handle == PER_THREAD => Err(invalid_handle(call, "the per-thread stream of another thread")),
            _ => Err(invalid_handle(call, format!("the stream with handle {handle:#x} is destroyed"))),
        }
    }

    /// The same, of a stream that is about to be used.
    pub(crate) fn usable(&mut self, call: Call, stream: &StreamRef) -> DriverResult<StreamId> {
        let queue = self.stream(call, stream)?;
        self.is_capturing(call, &stream.context, (queue, stream.kind))?;
        Ok(queue)
    }

    /// What a sync of the stream waits for, as of now.
    pub(crate) fn goal_of(&mut self, call: Call, stream: &StreamRef) -> DriverResult<Vec<Point>> {
        let queue = self.stream(call, stream)?;
        match self.is_capturing(call, &stream.context, (queue, stream.kind))? {
            true => Err(capture_refuses(call, CaptureRefusal::Unsupported)),
            false => Ok(self.queues.goal(queue)),
        }
    }

    /// An error for a legacy default stream beside a blocking one that is being captured.
    pub(crate) fn is_capturing(
        &self,
        call: Call,
        context: &ContextRef,
        (queue, kind): (StreamId, StreamKind),
    ) -> DriverResult<bool> {
        if kind == StreamKind::LegacyStream && self.queues.captures_blocking(context.id) {
            return Err(capture_refuses(call, CaptureRefusal::Implicit));
        }
        Ok(self.queues.capture(queue).is_some())
    }

    /// The stream behind a handle, in a context and for the calling thread.
    pub(crate) fn behind(&mut self, context: &ContextRef, handle: u64) -> Option<(StreamId, StreamKind)> {
        match handle {
            LEGACY => Some((context.legacy, StreamKind::LegacyStream)),
            PER_THREAD => Some((self.per_thread(context.id), StreamKind::PerThreadStream)),
            _ => {
                let made = self.streams.made.get(&handle).filter(|made| made.context == context.id)?;
                Some((made.queue, made.kind))
            }
        }
    }

    /// Puts a queue behind a new handle.
    pub(crate) fn make(&mut self, context: ContextId, queue: StreamId, kind: StreamKind, foreign: bool) -> u64 {
        let handle = self.streams.handles.issue();
        self.streams.made.insert(handle, Made { context, kind, queue, foreign });
        self.queues.add(queue, context, kind);
        handle
    }

    /// Destroys the stream behind a handle; the handle comes back.
    pub(crate) fn unmake(&mut self, handle: u64) {
        if let Some(made) = self.streams.made.remove(&handle) {
            self.streams.handles.give_back(handle);
            self.queues.destroy(made.queue);
        }
    }

    /// Whether something else made the stream behind the handle.
    pub(crate) fn is_foreign(&self, handle: u64) -> bool {
        self.streams.made.get(&handle).is_some_and(|made| made.foreign)
    }

    /// The queue of the calling thread's own stream.
    fn per_thread(&mut self, context: ContextId) -> StreamId {
        let key = (context, ThreadNumber::current());
        if let Some(&queue) = self.streams.per_thread.get(&key) {
            return queue;
        }
        let queue = StreamId::fresh();
        self.streams.per_thread.insert(key, queue);
        self.queues.add(queue, context, StreamKind::PerThreadStream);
        queue
    }

    /// Makes `id` a name of a stream.
    fn name(
        &mut self,
        call: Call,
        context: &ContextRef,
        id: StreamId,
        handle: u64,
        (queue, kind): (StreamId, StreamKind),
        origin: Origin,
    ) -> DriverResult {
        match self.streams.entries.get(&id) {
            Some(entry) if entry.queue == queue && entry.context == *context => Ok(()),
            Some(_) => Err(invalid_value(call, format!("{id:?} is in use"))),
            None => {
                let entry = StreamEntry { context: *context, handle, kind, origin, priority: 0, queue };
                self.streams.entries.insert(id, entry);
                Ok(())
            }
        }
    }
}
