//! Stream capture by foreign code: what is submitted meanwhile is accepted, and never runs.

use antecede::driver::{ContextId, StreamId};

use super::{CaptureId, Queues};

impl Queues {
    /// The capture that the stream is part of.
    pub(crate) fn capture(&self, stream: StreamId) -> Option<CaptureId> {
        self.queues.get(&stream)?.capture
    }

    /// Begins a capture on the stream.
    pub(crate) fn begin_capture(&mut self, origin: StreamId) {
        self.captures += 1;
        self.join_capture(origin, CaptureId { origin, number: self.captures });
    }

    /// Pulls the stream into a capture.
    pub(crate) fn join_capture(&mut self, stream: StreamId, capture: CaptureId) {
        if let Some(queue) = self.queues.get_mut(&stream) {
            queue.capture = Some(capture);
        }
    }

    /// Lets all streams of a capture run again.
    pub(crate) fn end_capture(&mut self, capture: CaptureId) {
        for queue in self.queues.values_mut().filter(|queue| queue.capture == Some(capture)) {
            queue.capture = None;
        }
    }

    /// Whether the capture has not ended.
    pub(crate) fn is_open(&self, capture: CaptureId) -> bool {
        self.queues.values().any(|queue| queue.capture == Some(capture))
    }

    /// Whether an operation on the context's legacy default stream would draw a captured stream's work into its order.
    pub(crate) fn captures_blocking(&self, context: ContextId) -> bool {
        let mut queues = self.queues.values().filter(|queue| queue.context == context && queue.kind.is_blocking());
        queues.any(|queue| queue.capture.is_some())
    }
}
