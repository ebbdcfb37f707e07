//! A trace that measures.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use antecede::driver::{Driver, DriverResult, StreamKind, StreamRef};

use super::Trace;
use crate::draft::Draft;
use crate::stamps::{DeviceStamp, is_timed};
use crate::{Call, Span, Times};

/// Tells when streams got where: on CUDA, by timing events.
///
/// A [`Trace`] with a stopwatch marks its streams before and after each operation, so streams are given more than the
/// program gives them. What it measures includes the cost of the marks.
///
/// A stopwatch may be asked for streams of any driver. It knows its own by the
/// [`ContextId`](antecede::driver::ContextId) of their context, and makes no call for others.
pub trait Stopwatch: Send + Sync + fmt::Debug + 'static {
    /// Marks the moment when everything submitted to the stream before has taken effect, without waiting for it
    /// (`cuEventRecord`). Returns the mark's number; `None` where there can be none.
    ///
    /// # Safety
    /// 1. The stream is live, and its context is the one that its driver opened under that
    ///    [`ContextId`](antecede::driver::ContextId).
    /// 2. A per-thread stream is marked on its own thread.
    unsafe fn mark(&self, stream: &StreamRef) -> Option<u64>;

    /// Microseconds from the [`origin`](Stopwatch::origin) to a marked moment (`cuEventElapsedTime`); `None` if it has
    /// not come yet, or cannot be told.
    fn micros(&self, mark: u64) -> Option<f64>;

    /// The moment that everything is measured from, on the host's clock.
    fn origin(&self) -> Instant;
}

impl Trace {
    /// A trace that keeps every entry, and measures when operations take effect and how long the host waits.
    ///
    /// Operations on the legacy default stream, and on streams of devices that the stopwatch knows nothing of, are not
    /// measured.
    pub fn timed(driver: impl Into<Arc<dyn Driver>>, stopwatch: Arc<dyn Stopwatch>) -> Self {
        let trace = Trace { stopwatch: Some(stopwatch), ..Trace::new(driver) };
        trace.recorder.keep_stamps();
        trace
    }

    /// What has been measured since the last [`clear`](Trace::clear), of operations that have taken effect. Empty
    /// without a stopwatch.
    pub fn times(&self) -> Times {
        let Some(stopwatch) = &self.stopwatch else { return Times::default() };
        let (host, device) = self.recorder.stamps();
        let mut spans: BTreeMap<u64, Span> = BTreeMap::new();
        for stamp in host {
            let at = since(stopwatch.origin(), stamp.at);
            let begun = stamp.begun.and_then(|begun| spans.get_mut(&begun));
            match begun {
                Some(span) => span.end = at,
                None => drop(spans.insert(stamp.seq, Span { start: at, end: at })),
            }
        }
        for DeviceStamp { seq, before, after } in device {
            if let (Some(start), Some(end)) = (stopwatch.micros(before), stopwatch.micros(after)) {
                spans.insert(seq, Span { start, end });
            }
        }
        spans.into_iter().collect()
    }

    /// A call that submits something to a stream, with marks before and after it where there is a stopwatch.
    pub(super) fn submit<T>(
        &self,
        call: Call,
        stream: &StreamRef,
        run: impl FnOnce() -> DriverResult<T>,
        describe: impl FnOnce(&mut Draft<'_>, Option<&T>),
    ) -> DriverResult<T> {
        // On the legacy default stream a mark would order other streams.
        let is_measured = is_timed(call) && stream.kind != StreamKind::LegacyStream;
        let Some(stopwatch) = self.stopwatch.as_ref().filter(|_| is_measured) else {
            return self.recorder.within(call, run, describe);
        };
        let marks = Cell::new(None);
        let run = || {
            // SAFETY: 1 and 2 are what the caller of the driver's method promises (1 and 7 of `Driver`).
            let before = unsafe { stopwatch.mark(stream) };
            let result = run();
            // SAFETY: as above.
            let after = unsafe { stopwatch.mark(stream) };
            marks.set(before.zip(after));
            result
        };
        self.recorder.within(call, run, |draft, result| {
            describe(draft, result);
            if let Some((before, after)) = marks.get() {
                let seq = draft.entry.seq;
                draft.tables.stamps.device(DeviceStamp { seq, before, after });
            }
        })
    }
}

/// Microseconds from one moment to the other; negative if it was before.
fn since(origin: Instant, at: Instant) -> f64 {
    match at.checked_duration_since(origin) {
        Some(after) => after.as_secs_f64() * 1e6,
        None => -(origin - at).as_secs_f64() * 1e6,
    }
}
