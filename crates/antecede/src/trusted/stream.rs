//! The typed handle of a stream, and every operation on it.

use super::buffer::{Buffer, bytes_of};
use super::driver::{DevicePtr, Pattern};
use super::event::PooledEvent;
use super::handover::{Fact, Sources, order};
use super::host_fn;
use super::host_slices::HostSlices;
use super::pool::Pool;
use super::recorded::Recorded;
use super::shared::{Lease, Shared};
use super::stream_core::StreamCore;
use super::view::View;
use super::{copies, operations};
use crate::batch::{AllOn, Batch, Buffers, OnDevice};
use crate::error::StreamName;
use crate::fill::FillValue;
use crate::{Error, Failed, Loose, On, PoolMemory, ReadyOn, Result, Synced};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;

/// A stream of device `D`: work submitted to it takes effect in order. `Copy`, 8 bytes.
///
/// A value of this type proves that its brand names a real stream, so operations ask for no bound on `S`. It comes from
/// [`Device::stream`](crate::Device::stream), [`legacy`](crate::Device::legacy),
/// [`per_thread`](crate::Device::per_thread), [`AnyStream::with`](crate::AnyStream::with), [`lane!`](crate::lane) or
/// [`Device::adopt`](crate::Device::adopt), and from nothing else.
///
/// Operations, by the driver call that they make:
///
/// | Method | Call |
/// |---|---|
/// | [`alloc`](Stream::alloc), [`zeroed`](Stream::zeroed), [`upload`](Stream::upload) | `cuMemAllocAsync`, then a fill or a staged copy |
/// | [`alloc_in`](Stream::alloc_in) | `cuMemAllocFromPoolAsync` |
/// | [`fill`](Stream::fill), [`clear`](Stream::clear) | `cuMemsetD8Async` and wider |
/// | [`copy`](Stream::copy) | `cuMemcpyAsync` |
/// | [`host_fn`](Stream::host_fn) | `cuLaunchHostFunc` |
/// | [`write`](Stream::write), [`read`](Stream::read), [`download`](Stream::download) | `cuMemcpyAsync` and `cuStreamSynchronize` |
/// | [`take`](Stream::take), [`take_from`](Stream::take_from) | one `cuEventRecord` and one `cuStreamWaitEvent` for each other stream (none to legacy from a blocking stream, the record alone the other way) |
/// | [`take_unchecked`](Stream::take_unchecked), [`after_blocking`](Stream::after_blocking) | none |
/// | [`claim`](Stream::claim) | none |
/// | [`record`](Stream::record) | `cuEventRecord` |
/// | [`wait`](Stream::wait) | `cuStreamWaitEvent` |
/// | [`share`](Stream::share) | `cuEventRecord` |
/// | [`lease`](Stream::lease) | `cuStreamWaitEvent` at a stream's first lease |
/// | [`reunite`](Stream::reunite) | one `cuEventRecord` and one `cuStreamWaitEvent` for each other reader |
/// | [`copy_across`](Stream::copy_across) | `cuMemcpyPeerAsync`, and a hand-over there and back |
/// | [`sync`](Stream::sync) | `cuStreamSynchronize`; on a blocking stream `cuEventRecord` before it |
pub struct Stream<S, D = crate::Primary> {
    core: &'static StreamCore,
    _brands: PhantomData<(S, fn(S, D) -> (S, D))>,
}

impl<S, D> Stream<S, D> {
    /// # Safety
    /// 1. `core` is the one stream of brand `S` on the device of brand `D`.
    pub(super) unsafe fn new(core: &'static StreamCore) -> Self {
        Stream { core, _brands: PhantomData }
    }

    pub(super) fn core(self) -> &'static StreamCore {
        self.core
    }

    /// What messages call it: the name of its brand, or its number.
    pub fn name(self) -> StreamName {
        self.core.name()
    }
}

/// Memory and asynchronous operations.
impl<S, D> Stream<S, D> {
    /// Device memory for `len` elements, with unspecified contents (`cuMemAllocAsync`). No call for no bytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Driver`] (out of memory), [`Error::Poisoned`].
    pub fn alloc<T: Pod>(self, len: usize) -> Result<Buffer<T, On<S, D>>> {
        self.core.usable()?;
        let bytes = bytes_of::<T>(len)?;
        let (ptr, home) = match bytes {
            0 => (DevicePtr::NULL, None),
            _ => (operations::alloc(self.core, bytes)?, Some(self.core)),
        };
        // SAFETY: (1) fresh memory of that size, or none needed. (2) its only operation is the allocation, on this
        // stream.
        Ok(unsafe { Buffer::from_parts(ptr, len, home) })
    }

    /// Device memory for `len` elements, all bytes zero (`cuMemAllocAsync`, `cuMemsetD8Async`).
    ///
    /// # Errors
    /// As for [`alloc`](Stream::alloc).
    pub fn zeroed<T: Pod>(self, len: usize) -> Result<Buffer<T, On<S, D>>> {
        let mut buffer = self.alloc(len)?;
        self.clear(&mut buffer)?;
        Ok(buffer)
    }

    /// Memory for `len` elements from a pool, with unspecified contents (`cuMemAllocFromPoolAsync`). No call for no bytes.
    ///
    /// From a pool of [`Vram`](crate::Vram) it is device memory like any other; from one of [`Pinned`](crate::Pinned) or
    /// [`Managed`](crate::Managed) it is [`Pooled`](crate::Pooled): the host may touch it when it is
    /// [`Synced`](crate::Synced), and its drop is a `cuMemFreeAsync`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Driver`] (out of memory), [`Error::Poisoned`].
    pub fn alloc_in<T: Pod, M: PoolMemory>(
        self,
        pool: Pool<M, D>,
        len: usize,
    ) -> Result<Buffer<T, On<S, D>, M::Allocated>> {
        self.core.usable()?;
        let bytes = bytes_of::<T>(len)?;
        let (ptr, home) = match bytes {
            0 => (DevicePtr::NULL, None),
            _ => (pool.core().alloc(self.core, bytes)?, Some(self.core)),
        };
        // SAFETY: (1) fresh memory of that size and of the pool's space, or none needed; `free_async`, by which
        // `M::Allocated` frees, is the sibling of the call that allocated it. (2) its only operation is the allocation, on
        // this stream.
        Ok(unsafe { Buffer::from_parts(ptr, len, home) })
    }

    /// Sets every element to `value` (`cuMemsetD8Async`, `D16`, `D32`, by the element's size). No call for no elements.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn fill<T: FillValue>(self, target: &mut View<T, impl ReadyOn<S, D>>, value: T) -> Result<()> {
        // SAFETY: (1) the view is ready on this stream and borrowed exclusively. (2) elements of the pattern's width
        // are aligned to it.
        unsafe { operations::fill(self.core, target.access(true), value.pattern()) }
    }

    /// Sets every byte to zero (`cuMemsetD8Async`). No call for no bytes.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn clear<T: Pod>(self, target: &mut View<T, impl ReadyOn<S, D>>) -> Result<()> {
        // SAFETY: (1) as in `fill`. (2) bytes need no alignment.
        unsafe { operations::fill(self.core, target.access(true), Pattern::D8(0)) }
    }

    /// Copies all elements of `source` to `target`, between any two kinds of memory (`cuMemcpyAsync`). The host does not
    /// block. No call for no bytes.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::Driver`], [`Error::Poisoned`].
    pub fn copy<T: Pod>(
        self,
        source: &View<T, impl ReadyOn<S, D>>,
        target: &mut View<T, impl ReadyOn<S, D>>,
    ) -> Result<()> {
        same_length(target.len(), source.len())?;
        // SAFETY: (1) both views are ready on this stream, and the target is borrowed exclusively, so they do not
        // overlap. (2) of equal length.
        unsafe { operations::copy(self.core, target.access(true), source.access(false)) }
    }
}

/// Rust code in stream order.
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
    /// [`Error::Driver`], [`Error::Poisoned`], [`Error::Capturing`]; the buffers come back. The driver's error may be an earlier one: `f` may have
    /// begun; if it has not it is dropped.
    pub fn host_fn<B, F>(self, buffers: B, f: F) -> Result<B, Failed<B>>
    where
        B: AllOn<S, D>,
        B::Parts: HostSlices,
        F: for<'a> FnOnce(<B::Parts as HostSlices>::Slices<'a>) + Send + 'static,
    {
        let parts = buffers.lower();
        // SAFETY: (1) by the bound, and nobody has used them since they were lowered.
        match unsafe { host_fn::submit(self.core, &parts, f) } {
            Ok(()) => Ok(B::raise(parts)),
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }
}

/// Copies from and to Rust slices.
impl<S, D> Stream<S, D> {
    /// [`alloc`](Stream::alloc) and [`write`](Stream::write): device memory with the elements of `source`.
    ///
    /// # Errors
    /// As for both.
    pub fn upload<T: Pod>(self, source: &[T]) -> Result<Buffer<T, On<S, D>>> {
        let mut buffer = self.alloc(source.len())?;
        self.write(&mut buffer, source)?;
        Ok(buffer)
    }

    /// Copies a Rust slice to `target`, and returns when it is there: the host waits for all earlier work of this stream
    /// (`cuMemcpyAsync`, `cuStreamSynchronize`, for every 4 MiB). To overlap copies with other work use pinned buffers
    /// and [`copy`](Stream::copy).
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::Poisoned`], [`Error::Driver`]. If the wait fails the device is poisoned.
    pub fn write<T: Pod>(self, target: &mut View<T, impl ReadyOn<S, D>>, source: &[T]) -> Result<()> {
        self.core.usable()?;
        same_length(target.len(), source.len())?;
        // SAFETY: (1) the view is ready on this stream, borrowed exclusively, and as long.
        unsafe { copies::write_all(self.core, target.access(true).ptr, source) }
    }

    /// Copies `source` to a Rust slice, and returns when it is there: the host waits for all earlier work of this stream
    /// (`cuMemcpyAsync`, `cuStreamSynchronize`, for every 4 MiB).
    ///
    /// # Errors
    /// As for [`write`](Stream::write). On error, `target` may have been written in part.
    pub fn read<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>, target: &mut [T]) -> Result<()> {
        self.core.usable()?;
        same_length(target.len(), source.len())?;
        // SAFETY: (1) the view is ready on this stream, borrowed, and as long.
        unsafe { copies::read_all(self.core, source.access(false).ptr, target) }
    }

    /// [`read`](Stream::read) into a new `Vec`.
    ///
    /// # Errors
    /// As for [`read`](Stream::read).
    pub fn download<T: Pod>(self, source: &View<T, impl ReadyOn<S, D>>) -> Result<Vec<T>> {
        let mut target = vec![T::zeroed(); source.len()];
        self.read(source, &mut target)?;
        Ok(target)
    }
}

/// From stream to stream, and to the host.
///
/// Each of these takes the batch apart *before* its driver call: `Batch::lower` may be a user's code, and use the
/// buffers.
impl<S, D> Stream<S, D> {
    /// The hand-over: takes over buffers of this device, whatever stream they are on.
    ///
    /// One `cuEventRecord` and one `cuStreamWaitEvent` for each *distinct other* stream in the batch; nothing for this
    /// stream, for [`Synced`](crate::Synced) buffers and for empty ones. The host does not block. A join of four streams
    /// is one line: `let (a, b, c, d) = stream.take((a, b, c, d))?;`
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; the buffers come back as they were.
    #[inline]
    pub fn take<B: OnDevice<D>>(self, buffers: B) -> Result<B::With<On<S, D>>, Failed<B>> {
        let parts = buffers.lower();
        if let Err(error) = order(&parts, self.core) {
            return Err(Failed::new(error, B::raise(parts)));
        }
        // SAFETY: (1) everything earlier on each buffer is before the record on its stream (I1), hence before what
        // follows the wait; on this stream, by stream order; for a synced buffer it is complete.
        let fact = unsafe { Fact::ready_on(self.core) };
        Ok(B::With::raise(parts.retype(fact)))
    }

    /// [`take`](Stream::take) out of a field: the place is left empty, or as it was if the call fails.
    ///
    /// `let x = stream.take_from(&mut self.x)?;`
    ///
    /// # Errors
    /// As for [`take`](Stream::take).
    pub fn take_from<B: OnDevice<D> + Default>(self, place: &mut B) -> Result<B::With<On<S, D>>> {
        self.take(std::mem::take(place)).map_err(|failed| failed.restore(place))
    }

    /// Makes buffers typed again that are on this stream already. No driver call.
    ///
    /// # Errors
    /// [`Error::StreamMismatch`] if one of them is on another stream; [`Error::DeviceMismatch`] if one is with the host
    /// and of another device ([`scope_all`](crate::Device::scope_all)). All come back as they were.
    pub fn claim<B: OnDevice<D>>(self, buffers: B) -> Result<B::With<On<S, D>>, Failed<B>> {
        let parts = buffers.lower();
        let sources = Sources::of(&parts, self.core);
        let here = match sources.first() {
            Some(other) => Err(Error::StreamMismatch { expected: self.name(), found: other.name() }),
            None => sources.reached(),
        };
        if let Err(error) = here {
            return Err(Failed::new(error, B::raise(parts)));
        }
        // SAFETY: (1) each buffer is on this stream (by its id), or synced, or has no memory.
        let fact = unsafe { Fact::ready_on(self.core) };
        Ok(B::With::raise(parts.retype(fact)))
    }

    /// Lets any number of streams read the buffers at once: one `cuEventRecord`.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; the buffers come back.
    pub fn share<B: AllOn<S, D>>(self, buffers: B) -> Result<Shared<B::With<Loose<D>>, D>, Failed<B>> {
        let core = self.core;
        let parts = buffers.lower();
        match PooledEvent::recorded(core) {
            // SAFETY: (1) just recorded; nobody has used the parts since they were lowered; each remembers this stream.
            Ok(event) => Ok(unsafe { Shared::new(parts.retype(Fact::where_it_is()), Some(event), core) }),
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }

    /// Read access on this stream: one `cuStreamWaitEvent` at the first lease of a stream, nothing at later ones.
    ///
    /// `math.saxpy(stream, n, a, &stream.lease(&x)?, &mut y)?`. The lease of a batch is a tuple or container of views:
    /// `let lease = stream.lease(&pair)?; let (x, y) = &*lease;`
    ///
    /// Nothing on the stream that shared. Not on a stream that is bound to its thread (`Self: Sync`): who joins the readers
    /// may be on another.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; the stream is then no reader.
    pub fn lease<B: OnDevice<D>>(
        self,
        shared: &Shared<B, D>,
    ) -> Result<Lease<'_, <B::Parts as Buffers>::Views<'_, On<S, D>>>>
    where
        Self: Sync,
    {
        shared.lease_on(self.core)
    }

    /// Takes shared buffers back, to be written and freed: one `cuEventRecord` and one `cuStreamWaitEvent` for each
    /// distinct other stream that has read (only the wait, if its last lease was [released](Lease::release)); with no
    /// reader at all, one wait for the share, or none on the stream that shared.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; the shared buffers come back.
    pub fn reunite<B: OnDevice<D>>(self, shared: Shared<B, D>) -> Result<B::With<On<S, D>>, Failed<Shared<B, D>>> {
        if let Err(error) = shared.join(self.core) {
            return Err(Failed::new(error, shared));
        }
        // SAFETY: (1) the last write and every read are ordered before what is submitted here now.
        let fact = unsafe { Fact::ready_on(self.core) };
        Ok(B::With::raise(shared.into_parts().retype(fact)))
    }

    /// The unchecked door: takes over buffers as if they were ready on this stream. No driver call.
    ///
    /// For order that this crate cannot see, and for showing what happens without it.
    ///
    /// # Safety
    /// 1. Everything earlier on each buffer, its allocation included, happens before anything that is submitted to this
    ///    stream from now on.
    pub unsafe fn take_unchecked<B: OnDevice<D>>(self, buffers: B) -> B::With<On<S, D>> {
        // SAFETY: (1) the caller's promise.
        let fact = unsafe { Fact::ready_on(self.core) };
        B::With::raise(buffers.lower().retype(fact))
    }

    /// Records an event after all earlier work of this stream, and packs the buffers with it.
    ///
    /// One `cuEventRecord` for a batch of any size. For an event earlier than the hand-over; otherwise
    /// [`take`](Stream::take) does both.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; the buffers come back.
    pub fn record<B: AllOn<S, D>>(self, buffers: B) -> Result<Recorded<B::With<Loose<D>>, D>, Failed<B>> {
        let core = self.core;
        let parts = buffers.lower();
        match PooledEvent::recorded(core) {
            Ok(event) => {
                // SAFETY: (1) each buffer remembers this stream, or has no memory.
                let parts = parts.retype(unsafe { Fact::where_it_is() });
                // SAFETY: (1) just recorded; nobody has used the parts since they were lowered.
                Ok(unsafe { Recorded::new(parts, event, core) })
            }
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }

    /// Makes this stream wait for a record, and takes its buffers over.
    ///
    /// One `cuStreamWaitEvent`, or none if the record is of this stream. The host does not block.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; the record comes back.
    pub fn wait<B: OnDevice<D>>(self, recorded: Recorded<B, D>) -> Result<B::With<On<S, D>>, Failed<Recorded<B, D>>> {
        let core = self.core;
        if let Err(error) = recorded.waited_on_by(core) {
            return Err(Failed::new(error, recorded));
        }
        // SAFETY: (1) everything earlier on the buffers is before the record (nobody could use them since), hence
        // before what follows the wait, or on the same stream.
        let fact = unsafe { Fact::ready_on(core) };
        Ok(B::With::raise(recorded.into_parts().retype(fact)))
    }

    /// Makes the host wait for all earlier work of this stream (`cuStreamSynchronize`; on a blocking stream an event record
    /// first, which takes in what the legacy default stream handed over).
    ///
    /// `stream.sync(())?` waits with no buffer at all.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; the buffers come back.
    pub fn sync<B: AllOn<S, D>>(self, buffers: B) -> Result<B::With<Synced<D>>, Failed<B>> {
        let parts = buffers.lower();
        match self.core.sync_with_legacy() {
            // SAFETY: (1) everything earlier on the buffers is before the end of this stream (I1), which the host has
            // seen.
            Ok(()) => Ok(B::With::raise(parts.retype(unsafe { Fact::where_it_is() }))),
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }
}

pub(super) fn same_length(expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::LengthMismatch { expected, found }) }
}

impl<S, D> Clone for Stream<S, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, D> Copy for Stream<S, D> {}

/// Two streams are equal if they are one stream.
impl<S, D> PartialEq for Stream<S, D> {
    fn eq(&self, other: &Self) -> bool {
        self.core.id() == other.core.id()
    }
}

impl<S, D> Eq for Stream<S, D> {}

impl<S, D> fmt::Debug for Stream<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({})", self.core.name())
    }
}
