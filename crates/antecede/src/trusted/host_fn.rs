//! Host functions: Rust code that a stream calls in its order.
//!
//! # Why the slices are sound
//!
//! 1. **Ordered.** Every buffer of the batch is ready on the stream (I1), and the driver calls the function in stream
//!    order: so everything earlier on the buffers has taken effect, and whatever is submitted later, a free or the event
//!    that a cached block waits for included, takes effect after the function has returned. The buffers come back in
//!    state `On<S, D>`, in which the host does not touch them.
//! 2. **Exclusive.** The batch was passed by value and taken apart before the call, and each buffer owns its bytes (I2).
//! 3. **Made in time.** What waits in the queue are addresses ([`Lent`]), not references: the references are made when the
//!    function begins, and end with it, for it accepts slices of any lifetime and returns nothing.
//! 4. **The memory outlives the function.** It is freed in stream order, or out of a cache at the end of a scope. A scope
//!    frees nothing before a synchronisation of the context has returned `Ok`: then every function in it has returned. If
//!    that fails everything is leaked, the streams and device that the function refers to included. The function itself
//!    is `'static`, so it may be as late as it likes.
//! 5. **Called once or never.** A [`Job`] is taken out of its place by whoever comes first: the driver's thread, or the
//!    submission whose call failed (which cannot know whether the function was queued). The place belongs to both.
//! 6. **No driver call inside.** CUDA allows none. Within the function the thread is marked, and every way of this crate
//!    to the driver ends in [`Error::InHostFunction`]; a buffer that is dropped there is leaked and counted. No lock under
//!    which another thread may be in a driver call is taken either.
//! 7. **No unwinding.** A panic of the function, one of a value that it captured, and one of the panic's own payload are
//!    caught.

use super::buffer::Buffer;
use super::device::{StreamCore, lock};
use super::driver::{Access, DevicePtr, HostFn};
use super::stream::Stream;
use crate::batch::{AllOn, Buffers};
use crate::{Error, Failed, HostVisible, Result, State};
use bytemuck::Pod;
use std::any::Any;
use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::marker::PhantomData;
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

impl<S, D> Stream<S, D> {
    /// Calls a Rust function in stream order, with slices of the buffers' elements (`cuLaunchHostFunc`). The host does not
    /// block, and nothing is copied: the buffers come back at once, still ready on this stream.
    ///
    /// `f` runs once, on a thread of the driver's, when all earlier work of this stream is over; later work of this stream
    /// waits for it. The buffers are a batch in host-visible memory. `f` gets one `&mut [T]` for each, in the batch's
    /// shape: `|x|` for a buffer, `|(x, y)|` for two, a `Vec` for a `Vec`.
    ///
    /// ```
    /// # use antecede::{Device, Result, streams};
    /// # streams! { Compute }
    /// # fn main() -> Result<()> {
    /// # Device::scope(antecede_sim::Sim::new(), 0, |device| {
    /// let compute = device.stream::<Compute>()?;
    /// let x = device.pinned_from(&[1.0f32, 2.0])?.on(compute);
    /// let x = compute.host_fn(x, |x| x.iter_mut().for_each(|x| *x *= 2.0))?;
    /// assert_eq!(compute.sync(x)?.as_slice(), [2.0, 4.0]);
    /// # Ok(()) })
    /// # }
    /// ```
    ///
    /// # Inside
    ///
    /// Every call of this crate that would reach the driver returns [`Error::InHostFunction`]: CUDA allows none there. A
    /// buffer dropped inside, a captured one for instance, is leaked and counted
    /// ([`Device::leaked`](crate::Device::leaked); of a buffer in parts, each part). `f` should be short, and wait for no
    /// thread that waits for the device.
    ///
    /// If `f` panics, the next wait of the host for this device that returns, whatever it waits for, returns
    /// [`Error::HostFnPanicked`] instead: [`sync`](Stream::sync), [`read`](Stream::read),
    /// [`Recorded::synchronize`](crate::Recorded::synchronize), [`Recorded::query`](crate::Recorded::query) that would find it
    /// finished, or the end of the scope. Once: repeat the call to go on. The slices hold what `f` had written by then.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; the buffers come back. The driver's error may be an earlier one: `f` may have
    /// begun; if it has not it is dropped.
    pub fn host_fn<B, F>(self, buffers: B, f: F) -> Result<B, Failed<B>>
    where
        B: AllOn<S, D>,
        B::Parts: HostSlices,
        F: for<'a> FnOnce(<B::Parts as HostSlices>::Slices<'a>) + Send + 'static,
    {
        let parts = buffers.lower();
        // SAFETY: (1) by the bound, and nobody has used them since they were lowered.
        match unsafe { submit(self.core(), &parts, f) } {
            Ok(()) => Ok(B::raise(parts)),
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }
}

/// Buffers whose elements a [host function](Stream::host_fn) gets as slices. Sealed.
///
/// Implemented by [`Buffer`] in memory that is [`HostVisible`], of elements that are `Send`, and by `()`, tuples, arrays,
/// `Vec` and `Option` of such. Not by [`Kept`](crate::Kept): let the function capture what it needs.
#[diagnostic::on_unimplemented(
    message = "a host function cannot be given `{Self}`",
    label = "has no elements in host memory",
    note = "give it buffers of pinned or managed memory, and let it capture the rest: `stream.host_fn(buf, move |x| ..)?`",
    note = "from device memory copy first: `stream.copy(&buf, &mut pinned)?`"
)]
pub trait HostSlices: Buffers + sealed::HostSlices {
    /// `&'a mut [T]` for each buffer.
    type Slices<'a>;
    /// The addresses.
    #[doc(hidden)]
    type Lent: Send + 'static;
    #[doc(hidden)]
    fn lend(&self, accesses: &mut Vec<Access>) -> Self::Lent;
    /// # Safety
    /// For all of `'a`:
    /// 1. the buffers that were lent have their memory, and everything earlier on it has taken effect;
    /// 2. nobody else accesses it.
    #[doc(hidden)]
    unsafe fn slices<'a>(lent: Self::Lent) -> Self::Slices<'a>;
}

/// Where the elements of one buffer are.
#[allow(missing_debug_implementations, reason = "it never leaves this crate")]
pub struct Lent<T> {
    ptr: DevicePtr,
    len: usize,
    _element: PhantomData<fn() -> T>,
}

mod sealed {
    pub trait HostSlices {}
}

/// A function and its slices, until it is called: see (5) above.
struct Job<P: HostSlices, F> {
    waiting: Mutex<Option<(P::Lent, F)>>,
    stream: &'static StreamCore,
}

/// # Safety
/// 1. Every buffer of `parts` is ready on `stream`, and until this returns nobody uses it.
unsafe fn submit<P, F>(stream: &'static StreamCore, parts: &P, f: F) -> Result<()>
where
    P: HostSlices,
    F: for<'a> FnOnce(P::Slices<'a>) + Send + 'static,
{
    stream.device.usable()?;
    let mut accesses = Vec::new();
    let waiting = Mutex::new(Some((parts.lend(&mut accesses), f)));
    let job = Arc::new(Job::<P, F> { waiting, stream });
    let data = Arc::into_raw(job.clone()).cast_mut().cast::<c_void>();
    let function = HostFn { call: call::<P, F>, data };
    // SAFETY: (1) the stream lives as long as the device. (2, 3) the buffers are ready on this stream and owned (1). The
    // function may be called from any thread (all in the job is `Send`), also after this call has returned an error: its
    // reference to the job is its own. It neither unwinds nor calls the driver.
    let submitted = unsafe { stream.driver().host_fn(&stream.stream, function, &accesses) };
    if submitted.is_err() {
        // The reference in `data` is lost if the function was not queued: some bytes, without what `f` holds.
        drop(lock(&job.waiting).take());
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
    let stream = job.stream;
    let begun = lock(&job.waiting).take();
    drop(job);
    if let Some((lent, f)) = begun {
        // SAFETY: (1, 2) the buffers were ready on this stream when they were lent, and what is later waits (1); their
        // memory is there (4 above).
        let outcome = catch_unwind(AssertUnwindSafe(|| f(unsafe { P::slices(lent) })));
        if let Err(payload) = outcome {
            stream.device.panics.note(stream.name, payload);
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
    fn note(&self, stream: &'static str, payload: Box<dyn Any + Send>) {
        let mut unreported = lock(&self.unreported);
        unreported.push_back(Error::HostFnPanicked { stream, message: message(payload) });
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

impl<T: Pod + Send, St: State, M: HostVisible> sealed::HostSlices for Buffer<T, St, M> {}

impl<T: Pod + Send, St: State, M: HostVisible> HostSlices for Buffer<T, St, M> {
    type Slices<'a> = &'a mut [T];
    type Lent = Lent<T>;

    fn lend(&self, accesses: &mut Vec<Access>) -> Lent<T> {
        let access = self.access(true);
        if access.bytes > 0 {
            accesses.push(access);
        }
        Lent { ptr: access.ptr, len: self.len(), _element: PhantomData }
    }

    unsafe fn slices<'a>(lent: Lent<T>) -> &'a mut [T] {
        let Lent { ptr, len, .. } = lent;
        let elements = if len * size_of::<T>() == 0 { std::ptr::dangling_mut() } else { ptr.0 as *mut T };
        // SAFETY: host memory of `len` elements (the kind is `HostVisible`), aligned, of any bit pattern (`Pod`), there
        // and ours for `'a` (1, 2); or elements without bytes, or none.
        unsafe { std::slice::from_raw_parts_mut(elements, len) }
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)+) => { $(
        impl<$($name: HostSlices),*> sealed::HostSlices for ($($name,)*) {}

        #[allow(non_snake_case, unused_variables, unused_unsafe, clippy::unused_unit, reason = "one body for every length")]
        impl<$($name: HostSlices),*> HostSlices for ($($name,)*) {
            type Slices<'a> = ($($name::Slices<'a>,)*);
            type Lent = ($($name::Lent,)*);

            fn lend(&self, accesses: &mut Vec<Access>) -> Self::Lent {
                let ($($name,)*) = self;
                ($($name.lend(accesses),)*)
            }
            unsafe fn slices<'a>(lent: Self::Lent) -> Self::Slices<'a> {
                let ($($name,)*) = lent;
                // SAFETY: (1, 2) of each.
                unsafe { ($(<$name as HostSlices>::slices($name),)*) }
            }
        }
    )+ };
}

tuples! {
    ;
    A;
    A B;
    A B C;
    A B C E;
    A B C E F;
    A B C E F G;
    A B C E F G H;
    A B C E F G H I;
    A B C E F G H I J;
    A B C E F G H I J K;
    A B C E F G H I J K L;
    A B C E F G H I J K L M;
}

macro_rules! containers {
    ($([$($generics:tt)*] $own:ty, $slices:ty, $lent:ty, $borrow:expr, |$of:ident, $f:ident| $map:expr;)+) => { $(
        impl<P: HostSlices, $($generics)*> sealed::HostSlices for $own {}

        impl<P: HostSlices, $($generics)*> HostSlices for $own {
            type Slices<'a> = $slices;
            type Lent = $lent;

            fn lend(&self, accesses: &mut Vec<Access>) -> Self::Lent {
                let ($of, mut $f) = ($borrow(self), |item: &P| item.lend(accesses));
                $map
            }
            unsafe fn slices<'a>(lent: Self::Lent) -> Self::Slices<'a> {
                // SAFETY: (1, 2) of each.
                let ($of, mut $f) = (lent, |item| unsafe { P::slices(item) });
                $map
            }
        }
    )+ };
}

containers! {
    [] Vec<P>, Vec<P::Slices<'a>>, Vec<P::Lent>, <[P]>::iter, |v, f| v.into_iter().map(&mut f).collect();
    [] Option<P>, Option<P::Slices<'a>>, Option<P::Lent>, Option::as_ref, |v, f| v.map(&mut f);
    [const N: usize] [P; N], [P::Slices<'a>; N], [P::Lent; N], <[P; N]>::each_ref, |v, f| v.map(&mut f);
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
