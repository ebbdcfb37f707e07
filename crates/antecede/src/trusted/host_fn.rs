//! Host functions: Rust code that a stream calls in its order.
//!
//! # Why the slices are sound
//!
//! 1. **Ordered.** Every buffer of the batch is ready on the stream (I1), and the driver calls the function in stream
//!    order: so everything earlier on the buffers has taken effect, and whatever is submitted later, a free or the event
//!    that a cached block waits for included, takes effect after the function has returned. The buffers come back in
//!    state `On<S, D>`, in which the host does not touch them.
//! 2. **Exclusive.** The batch was passed by value and taken apart before the call, and each buffer owns its bytes (I2).
//! 3. **Made in time.** What waits in the queue are addresses (`Lent`), not references: the references are made when the
//!    function begins, and end with it, for it accepts slices of any lifetime and returns nothing.
//! 4. **The memory outlives the function.** It is freed in stream order, or out of a cache at the end of a scope. A scope
//!    frees nothing before a synchronisation of the context has returned `Ok`: then every function in it has returned. If
//!    that fails everything is leaked, the device that the function refers to included. The function itself
//!    is `'static`, so it may be as late as it likes.
//! 5. **Called once or never.** A [`Job`] is taken out of its place by whoever comes first: the driver's thread, or the
//!    submission whose call failed (which cannot know whether the function was queued). The place belongs to both.
//! 6. **No driver call inside.** CUDA allows none. Within the function the thread is marked, and every way of this crate
//!    to the driver ends in [`Error::InHostFunction`]; a buffer that is dropped there is leaked and counted. No lock under
//!    which another thread may be in a driver call is taken either.
//! 7. **No unwinding.** A panic of the function, one of a value that it captured, and one of the panic's own payload are
//!    caught.

use super::device::{DeviceCore, lock};
use super::driver::HostFn;
use super::host_slices::HostSlices;
use super::stream_core::StreamCore;
use crate::error::StreamName;
use crate::{Error, Result};
use std::any::Any;
use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

thread_local! {
    /// Whether this thread is in a host function.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether anybody has reason to look closer before a driver call: see `DeviceCore::usable`. Never reset. A thread in a
/// host function has set it itself.
static WATCHFUL: AtomicBool = AtomicBool::new(false);

/// Makes every later [`is_watchful`] of this thread true, and of those that hear of it.
pub(super) fn be_watchful() {
    WATCHFUL.store(true, Ordering::Relaxed);
}

/// Whether a host function has ever begun, or a device was poisoned, in this process. A plain load: on the path of every
/// launch.
pub(super) fn is_watchful() -> bool {
    WATCHFUL.load(Ordering::Relaxed)
}

/// Whether this thread is in a host function. No driver call may be made there, and no lock be taken that another thread
/// may hold during one.
pub(super) fn is_inside() -> bool {
    is_watchful() && INSIDE.get()
}

/// `Err` in a host function.
pub(super) fn outside() -> Result<()> {
    if is_inside() { Err(Error::InHostFunction) } else { Ok(()) }
}

/// Marks the thread for as long as it lives. A driver may call a function on a thread that is the user's own.
struct Inside {
    around: bool,
}

impl Inside {
    fn enter() -> Inside {
        be_watchful();
        Inside { around: INSIDE.replace(true) }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(self.around);
    }
}

/// A function and its slices, until it is called: see (5) above.
struct Job<P: HostSlices, F> {
    waiting: Mutex<Option<(P::Lent, F)>>,
    stream: StreamName,
    device: &'static DeviceCore,
}

/// # Safety
/// 1. Every buffer of `parts` is ready on `stream`, and until this returns nobody uses it.
pub(super) unsafe fn submit<P, F>(stream: &'static StreamCore, parts: &P, f: F) -> Result<()>
where
    P: HostSlices,
    F: for<'a> FnOnce(P::Slices<'a>) + Send + 'static,
{
    stream.usable()?;
    stream.not_captured()?;
    let mut accesses = Vec::new();
    let waiting = Mutex::new(Some((parts.lend(&mut accesses), f)));
    let job = Arc::new(Job::<P, F> { waiting, stream: stream.name(), device: stream.device });
    let data = Arc::into_raw(job.clone()).cast_mut().cast::<c_void>();
    let function = HostFn { call: call::<P, F>, data };
    // SAFETY: (1, 7) the stream lives as long as the device, and this is its thread. (2, 3) the buffers are ready on this stream and owned (1). The
    // function may be called from any thread (all in the job is `Send`), also after this call has returned an error: its
    // reference to the job is its own. It neither unwinds nor calls the driver.
    let submitted = unsafe { stream.driver().host_fn(&stream.stream, function, &accesses) };
    if submitted.is_err() {
        // The reference in `data` is lost if the function was not queued: some bytes, without what `f` holds.
        let unused = lock(&job.waiting).take();
        // Not under the lock: what `f` holds is a user's, and its drop may wait for the device, where the job waits for it.
        drop(unused);
    }
    Ok(submitted?)
}

/// What the driver calls.
///
/// # Safety
/// 1. `data` is a reference to a `Job<P, F>`, given away, and everything that was earlier on the stream of the job has
///    taken effect; nothing that is later begins before this returns.
unsafe extern "C" fn call<P, F>(data: *mut c_void)
where
    P: HostSlices,
    F: for<'a> FnOnce(P::Slices<'a>) + Send + 'static,
{
    let inside = Inside::enter();
    // SAFETY: (1) from `Arc::into_raw`, and given away.
    let job = unsafe { Arc::from_raw(data.cast_const().cast::<Job<P, F>>()) };
    let (stream, device) = (job.stream, job.device);
    let begun = lock(&job.waiting).take();
    drop(job);
    if let Some((lent, f)) = begun {
        // SAFETY: (1, 2) the buffers were ready on this stream when they were lent, and what is later waits (1); their
        // memory is there (4 above).
        let outcome = catch_unwind(AssertUnwindSafe(|| f(unsafe { P::slices(lent) })));
        if let Err(payload) = outcome {
            device.panics.note(stream, payload);
        }
    }
    drop(inside);
}

/// Panics of host functions that no wait has reported yet.
#[derive(Default)]
pub(super) struct Panics {
    any: AtomicBool,
    unreported: Mutex<VecDeque<Error>>,
}

impl Panics {
    fn note(&self, stream: StreamName, payload: Box<dyn Any + Send>) {
        // Before the lock: the payload is a user's, and so is its drop.
        let message = message(payload);
        let mut unreported = lock(&self.unreported);
        unreported.push_back(Error::HostFnPanicked { stream, message });
        self.any.store(true, Ordering::Release);
    }

    /// `Err` with the earliest that was not reported. After a wait: a function that it covers has noted its panic before.
    pub(super) fn report(&self) -> Result<()> {
        if !self.any.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut unreported = lock(&self.unreported);
        let earliest = unreported.pop_front();
        self.any.store(!unreported.is_empty(), Ordering::Release);
        earliest.map_or(Ok(()), Err)
    }
}

/// The text of a panic. The drop of its payload is the user's code, and may panic as well.
fn message(payload: Box<dyn Any + Send>) -> Box<str> {
    let text = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "a value that is no text",
    };
    let text = text.into();
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(another);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_marked_within_and_as_before_afterwards() {
        assert!(outside().is_ok());
        let first = Inside::enter();
        drop(Inside::enter());
        assert_eq!(outside(), Err(Error::InHostFunction));
        drop(first);
        assert!(outside().is_ok());
        let _inside = Inside::enter();
        assert!(std::thread::spawn(outside).join().unwrap().is_ok(), "no other thread is");
    }
}
