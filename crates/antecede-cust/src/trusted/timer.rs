//! Timing events: when a stream got where.

use std::ptr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use antecede::driver::{ContextRef, Driver, DriverResult, StreamRef};
use cust::sys::{CUevent, CUevent_flags, CUstream, CUstream_flags};

use super::Cuda;
use super::call::{cuda, ready};
use super::context::within;

/// Measures on the streams of one device, by CUDA events with timing.
///
/// Nothing else in this crate makes events with timing: a program that does not measure pays nothing. Every mark is an
/// event that lives as long as its timer.
#[derive(Debug)]
pub struct Timer {
    driver: Cuda,
    context: ContextRef,
    /// The event that times are measured from.
    base: u64,
    origin: Instant,
    /// The events of marks, by their numbers.
    marks: Mutex<Vec<u64>>,
}

impl Timer {
    /// A timer for the device of that ordinal, whose context it keeps open.
    ///
    /// It waits for an event on a stream of its own, so that its [`origin`](Timer::origin) is known on the host's clock,
    /// to within the microseconds that such a wait takes to return.
    ///
    /// # Errors
    /// What opening the context, `cuStreamCreate`, `cuEventCreate`, `cuEventRecord` and `cuEventSynchronize` return.
    pub fn new(driver: Cuda, ordinal: u32) -> DriverResult<Self> {
        // SAFETY: opening has no obligations but that what it returns is used as it is.
        let context = unsafe { driver.context_open(ordinal) }?;
        // SAFETY: the context is open; `start` neither unwinds nor changes what is current.
        match unsafe { within(&context, start) } {
            Ok((base, origin)) => Ok(Timer { driver, context, base, origin, marks: Mutex::default() }),
            Err(error) => {
                // The first error is what the caller wants to hear of.
                // SAFETY: opened above, and nothing is left in it.
                let _ = unsafe { driver.context_close(&context) };
                Err(error)
            }
        }
    }

    /// Marks the moment when everything submitted to the stream before has taken effect (`cuEventCreate`,
    /// `cuEventRecord`). Returns the mark's number; `None` for a stream of another context or driver, without a call.
    ///
    /// A mark on the legacy default stream orders blocking streams, as any event record there does.
    ///
    /// # Errors
    /// What the two calls return.
    ///
    /// # Safety
    /// 1. The stream is live, and its context is the one that its driver opened under that
    ///    [`ContextId`](antecede::driver::ContextId).
    /// 2. A per-thread stream is marked on its own thread.
    pub unsafe fn mark(&self, stream: &StreamRef) -> DriverResult<Option<u64>> {
        if stream.context.id != self.context.id {
            return Ok(None);
        }
        let record = || {
            let event = create()?;
            // SAFETY: the event is live and of this context, and so is the stream (1), as no two contexts have one id.
            let recorded = unsafe { cuda!(cuEventRecord(event as CUevent, stream.handle as CUstream)) };
            if recorded.is_err() {
                // SAFETY: the event was made above and is known nowhere else.
                let _ = unsafe { cuda!(cuEventDestroy_v2(event as CUevent)) };
            }
            recorded.map(|()| event)
        };
        // SAFETY: the context is open; the closure neither unwinds nor changes what is current.
        let event = unsafe { within(&self.context, record) }?;
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        marks.push(event);
        Ok(Some(marks.len() as u64 - 1))
    }

    /// Microseconds from the origin to a marked moment (`cuEventElapsedTime`, which is exact to about half a
    /// microsecond); `None` for a number that is no mark's, and for a moment that has not come yet.
    ///
    /// # Errors
    /// What the call returns: for a mark that was captured into a graph, say.
    pub fn micros(&self, mark: u64) -> DriverResult<Option<f64>> {
        let marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        let event = usize::try_from(mark).ok().and_then(|mark| marks.get(mark)).copied();
        drop(marks);
        let Some(event) = event else { return Ok(None) };
        let mut milliseconds = 0.0f32;
        let elapsed = || {
            // SAFETY: both events are live until this timer is dropped, recorded, and with timing; the result outlives
            // the call.
            unsafe { cuda!(cuEventElapsedTime(&mut milliseconds, self.base as CUevent, event as CUevent)) }
        };
        // SAFETY: the context is open; the closure neither unwinds nor changes what is current.
        let has_come = ready(unsafe { within(&self.context, elapsed) })?;
        Ok(has_come.then(|| f64::from(milliseconds) * 1e3))
    }

    /// The moment that times are measured from, on the host's clock.
    pub fn origin(&self) -> Instant {
        self.origin
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        let marks = std::mem::take(self.marks.get_mut().unwrap_or_else(PoisonError::into_inner));
        let destroy = || {
            for event in marks.into_iter().chain([self.base]) {
                // SAFETY: the event is live, and nothing asks for it any more.
                unsafe { cuda!(cuEventDestroy_v2(event as CUevent)) }?;
            }
            Ok(())
        };
        // Nobody is there to be told of an error.
        // SAFETY: the context is open; the closure neither unwinds nor changes what is current.
        let _ = unsafe { within(&self.context, destroy) };
        // SAFETY: this timer opened it, and has nothing left in it. Marks under way belong to streams, which are others'.
        let _ = unsafe { self.driver.context_close(&self.context) };
    }
}

/// The event that times are measured from, and the moment when it took effect.
fn start() -> DriverResult<(u64, Instant)> {
    let mut stream: CUstream = ptr::null_mut();
    let non_blocking = CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
    // SAFETY: `stream` outlives the call; a context is current.
    unsafe { cuda!(cuStreamCreate(&mut stream, non_blocking)) }?;
    let started = create().and_then(|event| {
        let wait = || {
            // SAFETY: the stream and the event were made in the context that is current.
            unsafe { cuda!(cuEventRecord(event as CUevent, stream)) }?;
            // SAFETY: as above; it has been recorded.
            unsafe { cuda!(cuEventSynchronize(event as CUevent)) }?;
            Ok(Instant::now())
        };
        // The first record on a device takes long; the second is the one that counts.
        match wait().and_then(|_| wait()) {
            Ok(origin) => Ok((event, origin)),
            Err(error) => {
                // SAFETY: the event was made above and is known nowhere else.
                let _ = unsafe { cuda!(cuEventDestroy_v2(event as CUevent)) };
                Err(error)
            }
        }
    });
    // SAFETY: the stream was made above, and what was submitted to it has ended, or never will.
    let destroyed = unsafe { cuda!(cuStreamDestroy_v2(stream)) };
    started.and_then(|started| destroyed.map(|()| started))
}

/// An event with timing.
fn create() -> DriverResult<u64> {
    let mut event: CUevent = ptr::null_mut();
    // SAFETY: `event` outlives the call; a context is current.
    unsafe { cuda!(cuEventCreate(&mut event, CUevent_flags::CU_EVENT_DEFAULT as u32)) }?;
    Ok(event as u64)
}
