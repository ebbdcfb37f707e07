//! What other code in the process does to streams, beside the library.

use antecede::driver::{ContextRef, StreamId, StreamKind};

use crate::Sim;
use crate::state::State;
use crate::streams::{LEGACY, PER_THREAD};

/// Other code in the process, which makes and captures streams without the library.
impl Sim {
    /// A stream that something else has made, for [`stream_adopt`](antecede::driver::Driver::stream_adopt). For a
    /// built-in kind, its handle.
    ///
    /// # Panics
    /// When there is no such device.
    pub fn foreign_stream(&self, ordinal: u32, kind: StreamKind) -> u64 {
        let mut state = self.shared.lock();
        let context = device(&state, ordinal);
        match kind {
            StreamKind::LegacyStream => LEGACY,
            StreamKind::PerThreadStream => PER_THREAD,
            _ => state.make(context.id, StreamId::fresh(), kind, true),
        }
    }

    /// Destroys a stream that [`foreign_stream`](Self::foreign_stream) has made. What was submitted to it still takes
    /// effect; its handle comes back.
    ///
    /// # Panics
    /// When there is no such stream.
    pub fn foreign_destroy(&self, handle: u64) {
        let mut state = self.shared.lock();
        assert!(state.is_foreign(handle), "no foreign stream has the handle {handle:#x}");
        state.unmake(handle);
    }

    /// Begins a capture (`cuStreamBeginCapture`, relaxed) on any stream, the calling thread's own among them (handle 2).
    /// Until [`end_capture`](Self::end_capture), what is submitted to it is accepted and never runs; streams that wait
    /// for an event recorded there are drawn in.
    ///
    /// # Panics
    /// When there is no such stream, or it is captured already, or it is the legacy default stream.
    pub fn begin_capture(&self, ordinal: u32, handle: u64) {
        let mut state = self.shared.lock();
        let stream = stream(&mut state, ordinal, handle);
        assert!(handle != LEGACY, "the legacy default stream cannot be captured");
        assert!(state.queues.capture(stream).is_none(), "the stream is being captured");
        state.queues.begin_capture(stream);
    }

    /// Ends the capture that was begun on this stream (`cuStreamEndCapture`) and drops the graph. Every stream that was
    /// drawn in runs again what is submitted from now on.
    ///
    /// # Panics
    /// When no capture was begun on the stream.
    pub fn end_capture(&self, ordinal: u32, handle: u64) {
        let mut state = self.shared.lock();
        let stream = stream(&mut state, ordinal, handle);
        let capture = state.queues.capture(stream).filter(|capture| capture.origin == stream);
        state.queues.end_capture(capture.expect("a capture was begun on this stream"));
    }
}

fn device(state: &State, ordinal: u32) -> ContextRef {
    state.context_ref(ordinal).unwrap_or_else(|| panic!("there is no device {ordinal}"))
}

fn stream(state: &mut State, ordinal: u32, handle: u64) -> StreamId {
    let context = device(state, ordinal);
    let stream = state.behind(&context, handle);
    stream.unwrap_or_else(|| panic!("no stream of device {ordinal} has the handle {handle:#x}")).0
}
