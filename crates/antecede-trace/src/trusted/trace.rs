//! The handle to a trace.

use std::sync::Arc;

use antecede::driver::{Driver, DriverId};

use super::Stopwatch;
use crate::recorder::Recorder;
use crate::{Counts, Log, Mark};

/// A driver around any driver that counts the calls made through it and keeps them in a [`Log`].
///
/// Handles are clones of one trace: give one to the library as its driver, keep another to ask. The trace has an
/// identity of its own, so a device that is bound to it is bound to no other driver, the inner one included.
///
/// The log's order is the order in which the inner driver saw the calls: a submitting call holds the trace's lock. A
/// call that waits does not ([`Call::has_two_entries`](crate::Call::has_two_entries)).
#[derive(Clone, Debug)]
pub struct Trace {
    pub(super) inner: Arc<dyn Driver>,
    pub(super) recorder: Arc<Recorder>,
    pub(super) stopwatch: Option<Arc<dyn Stopwatch>>,
    pub(super) id: DriverId,
}

impl Trace {
    /// A trace that counts and keeps every entry. The log grows until [`clear`](Trace::clear).
    pub fn new(driver: impl Into<Arc<dyn Driver>>) -> Self {
        Trace::around(driver.into(), true)
    }

    /// A trace that only counts: its log stays empty, and its size depends on the number of threads alone. Calls of
    /// several threads are not held in line.
    pub fn counting(driver: impl Into<Arc<dyn Driver>>) -> Self {
        Trace::around(driver.into(), false)
    }

    /// The calls of all threads.
    pub fn counts(&self) -> Counts {
        self.recorder.counts()
    }

    /// The calls of the calling thread.
    pub fn thread_counts(&self) -> Counts {
        self.recorder.thread_counts()
    }

    /// This moment, to count or read the log from later.
    pub fn mark(&self) -> Mark {
        self.recorder.mark()
    }

    /// The calls of all threads since the mark (or since the last [`clear`](Trace::clear), if that was later).
    pub fn counts_since(&self, mark: &Mark) -> Counts {
        self.recorder.counts_since(mark)
    }

    /// The calls of the calling thread since the mark, whichever thread took it (or since the last clear).
    pub fn thread_counts_since(&self, mark: &Mark) -> Counts {
        self.recorder.thread_counts_since(mark)
    }

    /// A copy of the log.
    pub fn log(&self) -> Log {
        self.recorder.log()
    }

    /// A copy of the log since the mark (or since the last clear).
    pub fn log_since(&self, mark: &Mark) -> Log {
        self.recorder.log_since(mark)
    }

    /// Empties the log and sets all counts to zero. What later entries need is kept: names of streams, sizes of blocks.
    pub fn clear(&self) {
        self.recorder.clear();
    }

    fn around(inner: Arc<dyn Driver>, keeps_log: bool) -> Self {
        Trace { inner, recorder: Arc::new(Recorder::new(keeps_log)), stopwatch: None, id: DriverId::fresh() }
    }
}

impl From<Trace> for Arc<dyn Driver> {
    fn from(trace: Trace) -> Self {
        Arc::new(trace)
    }
}
