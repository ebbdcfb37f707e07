//! What a test can ask of the simulated device that it runs on.

use antecede_sim::Sim;
use antecede_trace::{Counts, Log, Mark, Report, Trace, judge};

/// The simulator under a test's device, and the trace around it.
#[derive(Clone, Debug)]
pub struct Bench {
    sim: Sim,
    trace: Trace,
}

impl Bench {
    pub(crate) fn new(sim: Sim) -> Self {
        Bench { trace: Trace::new(sim.clone()), sim }
    }

    /// The simulator: its faults, what is live in it.
    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    /// The trace, which is the driver that the device was opened with.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The calls that `f` makes, of all threads.
    pub fn counts<R>(&self, f: impl FnOnce() -> R) -> (R, Counts) {
        let mark = self.mark();
        let result = f();
        (result, self.trace.counts_since(&mark))
    }

    /// The log of the calls that `f` makes, of all threads.
    pub fn log<R>(&self, f: impl FnOnce() -> R) -> (R, Log) {
        let mark = self.mark();
        let result = f();
        (result, self.trace.log_since(&mark))
    }

    /// This moment.
    pub fn mark(&self) -> Mark {
        self.trace.mark()
    }

    /// What the judge says of everything so far.
    pub fn report(&self) -> Report {
        judge(&self.trace.log())
    }
}
