//! The GPU's timing events, for traces.

use std::time::Instant;

use antecede::driver::StreamRef;
use antecede_cust::Timer;
use antecede_trace::Stopwatch;

/// A timer as a stopwatch. What cannot be measured is left out.
#[derive(Debug)]
pub(crate) struct TimingEvents(pub(crate) Timer);

impl Stopwatch for TimingEvents {
    unsafe fn mark(&self, stream: &StreamRef) -> Option<u64> {
        // SAFETY: 1 and 2 are the same promises, given by the caller.
        unsafe { self.0.mark(stream) }.ok().flatten()
    }

    fn micros(&self, mark: u64) -> Option<f64> {
        self.0.micros(mark).ok().flatten()
    }

    fn origin(&self) -> Instant {
        self.0.origin()
    }
}
