//! Streams that types cannot name.

use super::device::lock;
use super::driver::StreamKind;
use super::handover::{Fact, Sources, order};
use super::registry::Device;
use super::stream::Stream;
use super::stream_core::StreamCore;
use crate::batch::{Batch, Buffers, OnDevice};
use crate::brand::{Invariant, Lane};
use crate::error::StreamName;
use crate::{Error, Failed, Loose, Primary, Result, Synced};
use std::fmt;
use std::marker::PhantomData;

/// A stream chosen at run time: out of a `Vec`, by an index, one for each worker. `Copy`, 8 bytes.
///
/// It has no brand, so nothing is launched on it directly: [`with`](AnyStream::with), or
/// [`lane!`](crate::lane), gives it one for the length of a use. Between uses its buffers are [`Loose`].
pub struct AnyStream<D = Primary> {
    core: &'static StreamCore,
    _device: Invariant<D>,
}

impl<D> Device<D> {
    /// A new stream without a brand of its own. It lives as long as the device: keep it, rather than making many.
    ///
    /// # Errors
    /// [`Error::Poisoned`], [`Error::Driver`].
    pub fn any_stream(self) -> Result<AnyStream<D>> {
        self.any_stream_with(0)
    }

    /// [`any_stream`](Device::any_stream) with a priority: lower is sooner; clamped to what the device has
    /// ([`priorities`](Device::priorities)).
    ///
    /// # Errors
    /// [`Error::Poisoned`], [`Error::Driver`].
    pub fn any_stream_with(self, priority: i32) -> Result<AnyStream<D>> {
        let core = StreamCore::create(self.core(), StreamKind::NonBlocking, priority, "")?;
        let stream = AnyStream { core: core.get(), _device: PhantomData };
        lock(&self.core().more_streams).push(core);
        Ok(stream)
    }

    /// Uses a stream that something else made (a library, foreign code), for the length of `f`.
    ///
    /// Its brand is generative: it names this stream in this call and no other. What is ready on it may leave `f` as
    /// [`Loose`] buffers, records or shared buffers; at the end one event orders it before a stream of the device's own,
    /// which they are on from then.
    ///
    /// # Errors
    /// [`Error::Driver`]: if the stream is of another context, is a built-in one (handles 0, 1 and 2), is being captured,
    /// or if the event at the end fails, which poisons the device; what `f` returns.
    ///
    /// # Safety
    /// 1. `handle` is a live `CUstream` until this call returns, and not destroyed meanwhile.
    /// 2. Other code does not capture it meanwhile.
    /// 3. Work that other code submits to it touches no memory of this crate's buffers, unless ordered with them.
    pub unsafe fn adopt<R>(self, handle: u64, f: impl for<'id> FnOnce(Stream<Lane<'id>, D>) -> Result<R>) -> Result<R> {
        let heir = self.core().stream_of_its_own()?;
        // SAFETY: (1) of this function.
        let place = unsafe { StreamCore::adopt(self.core(), handle) }?;
        let core = place.get();
        lock(&self.core().more_streams).push(place);
        let end = EndOfAdoption { core, heir };
        // SAFETY: (1) `f` accepts any `'id`: no other stream has this brand.
        let result = f(unsafe { Stream::new(core) });
        std::mem::forget(end);
        let ended = core.disown(heir);
        result.and_then(|value| ended.map(|()| value))
    }
}

/// Ends an adoption also when `f` unwinds. On this library's own frame.
struct EndOfAdoption {
    core: &'static StreamCore,
    heir: &'static StreamCore,
}

impl Drop for EndOfAdoption {
    fn drop(&mut self) {
        // A failure has poisoned the device.
        let _ = self.core.disown(self.heir);
    }
}

impl<D> AnyStream<D> {
    /// Gives the stream a brand of its own for the length of `f`.
    ///
    /// What is ready on it leaves `f` as [`Loose`] buffers (`buf.loose()`), records, or handed over to another stream.
    pub fn with<R>(self, f: impl for<'id> FnOnce(Stream<Lane<'id>, D>) -> R) -> R {
        // SAFETY: (1) `f` accepts any `'id`: no other stream has this brand.
        f(unsafe { Stream::new(self.core) })
    }

    /// Takes over buffers from whatever streams, as [`Stream::take`] does; they are on this one from now.
    ///
    /// # Errors
    /// As for [`Stream::take`].
    pub fn take<B: OnDevice<D>>(self, buffers: B) -> Result<B::With<Loose<D>>, Failed<B>> {
        let parts = buffers.lower();
        match order(&parts, self.core) {
            // SAFETY: (1) as in `Stream::take`.
            Ok(()) => Ok(B::With::raise(parts.retype(unsafe { Fact::ready_on(self.core) }))),
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }

    /// Makes the host wait for all earlier work of this stream (`cuStreamSynchronize`), and gives it the buffers, which
    /// are all on this stream (or synced).
    ///
    /// # Errors
    /// [`Error::StreamMismatch`] if one is on another stream; [`Error::Driver`], [`Error::Poisoned`]. The buffers come
    /// back.
    pub fn sync<B: OnDevice<D>>(self, buffers: B) -> Result<B::With<Synced<D>>, Failed<B>> {
        let parts = buffers.lower();
        let elsewhere = Sources::of(&parts, self.core).first();
        let synced = match elsewhere {
            Some(other) => Err(Error::StreamMismatch { expected: self.name(), found: other.name() }),
            None => self.core.sync_with_legacy(),
        };
        match synced {
            // SAFETY: (1) each buffer is on this stream (by its id), whose end the host has seen; or synced.
            Ok(()) => Ok(B::With::raise(parts.retype(unsafe { Fact::where_it_is() }))),
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }

    /// What messages call it: its number, or the brand that it has.
    pub fn name(self) -> StreamName {
        self.core.name()
    }
}

impl<S: Send + Sync + 'static, D> Stream<S, D> {
    /// The same stream without its brand, for collections. Not of a stream that is bound to its thread, nor of one whose
    /// brand is a [`Lane`]: that may be an adopted stream, which the brand keeps within its adoption.
    pub fn any(self) -> AnyStream<D> {
        AnyStream { core: self.core(), _device: PhantomData }
    }
}

impl<D> Clone for AnyStream<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for AnyStream<D> {}

/// Two streams are equal if they are one stream.
impl<D> PartialEq for AnyStream<D> {
    fn eq(&self, other: &Self) -> bool {
        self.core.id() == other.core.id()
    }
}

impl<D> Eq for AnyStream<D> {}

impl<D> fmt::Debug for AnyStream<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyStream({})", self.core.name())
    }
}

/// What a brand of [`lane!`](crate::lane) borrows.
#[derive(Debug)]
pub struct LaneTag(());

/// Keeps the brand's lifetime up to its own drop.
#[derive(Debug)]
pub struct LaneGuard<'id>(Invariant<&'id ()>);

impl LaneTag {
    /// Does nothing.
    #[allow(clippy::new_without_default, reason = "for a macro")]
    pub fn new() -> Self {
        LaneTag(())
    }
}

impl Drop for LaneTag {
    /// Nothing, but a use of the tag: also where the end of its block is not reached, as in a loop without end or before
    /// a panic, for a drop is on the way out of an unwinding, and the mere end of a variable is not.
    fn drop(&mut self) {}
}

impl<'id> LaneGuard<'id> {
    /// # Safety
    /// 1. `tag` is given to no other call, and the guard is dropped in the block of the tag, right before it.
    pub unsafe fn brand<D>(stream: AnyStream<D>, tag: &'id LaneTag) -> (Stream<Lane<'id>, D>, Self) {
        let _ = tag;
        // SAFETY: (1) the proof beside `lane!`.
        (unsafe { Stream::new(stream.core) }, LaneGuard(PhantomData))
    }
}

impl Drop for LaneGuard<'_> {
    /// Nothing, but a use of the lifetime.
    fn drop(&mut self) {}
}

/// Gives an [`AnyStream`] a brand of its own to the end of the enclosing block: like [`AnyStream::with`], for code that
/// uses `?`, `continue`, `return` or `.await`.
///
/// ```
/// # use antecede::{AnyStream, Buffer, Device, Result, lane};
/// fn clear(streams: &[AnyStream], which: usize, place: &mut Buffer<u32>) -> Result<()> {
///     lane!(stream = streams[which]);
///     let mut x = stream.take_from(place)?;
///     stream.clear(&mut x)?;
///     *place = x.loose();
///     Ok(())
/// }
/// ```
///
/// The expansion contains an `unsafe` block (its proof is beside the macro): code under `#![forbid(unsafe_code)]` uses
/// `with`.
// The brand is unique: `'id` must end before the drop of `tag`, which it borrows, and must cover the drop of `_guard`,
// which comes just before. Two brands of one function therefore cannot be one lifetime: the one declared first covers a
// point, the drop of its guard, where the tag of the second has been dropped. That both drops are real calls matters: a
// block whose end is not reached (`loop {}`, `panic!()`) is left by unwinding only, and there only calls count.
#[macro_export]
macro_rules! lane {
    ($name:ident = $stream:expr) => {
        let stream = $stream;
        let tag = $crate::__private::LaneTag::new();
        #[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
        let ($name, _guard) = unsafe { $crate::__private::LaneGuard::brand(stream, &tag) };
    };
}
