//! What leaves the process.

use super::events::InterprocessEvent;
use crate::brand::Invariant;
use crate::driver::{DevicePtr, DeviceUuid, EventData, PointerData};
use crate::trusted::buffer::Buffer;
use crate::trusted::device::DeviceCore;
use crate::trusted::pool::{Pool, PoolCore};
use crate::trusted::recorded::Recorded;
use crate::trusted::registry::Device;
use crate::trusted::shared::Shared;
use crate::trusted::stream_core::StreamCore;
use crate::{Error, Exportable, Failed, Loose, Memory, PeerAccess, Primary, ReadOnly, Result, State, Synced};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;

/// A buffer on its way to other processes, and the data by which they map it.
///
/// `B` is what comes back: a [`Synced`] buffer, a [`Loose`] one that is ready on the stream of its record, or a
/// [`Shared`]. Until then nobody in this process writes or frees it, and nobody reads it either unless `A` is
/// [`ReadOnly`]: then the parcel dereferences to `B`.
///
/// Dropping a parcel frees nothing: other processes may be using the memory. It is leaked and counted
/// ([`Device::leaked`]).
#[must_use = "dropping it leaks its memory: take it back once every other process has let go"]
pub struct Parcel<B, A, D = Primary> {
    /// Taken out by `unpack` only.
    contents: ManuallyDrop<B>,
    label: ManuallyDrop<Label>,
    _brands: Invariant<(A, D)>,
}

/// What is told of the memory.
struct Label {
    device: &'static DeviceCore,
    pool: &'static PoolCore,
    pointer: PointerData,
    ready: Option<InterprocessEvent>,
    len: usize,
}

/// What may be exported with access `A` from device `D`. Sealed.
///
/// Implemented by a [`Synced`] [`Buffer`] of [`Exportable`] memory, by a [`Recorded`] one (the other side's stream waits
/// for the record), and, for [`ReadOnly`], by a [`Shared`] one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be handed to another process",
    label = "neither a buffer that is ready for others, nor the record of one",
    note = "a finished buffer: `stream.sync(buf)?`; or let the other side wait: `stream.record(buf)?`",
    note = "one buffer at a time, of memory from `device.pool::<Exportable>()?`"
)]
pub trait ReadyFor<A, D>: sealed::ReadyFor<A, D> + Sized {
    /// The elements.
    type Element: Pod;
    /// What comes back.
    type Back;
    #[doc(hidden)]
    fn pack(self, door: sealed::Door) -> Result<Parcel<Self::Back, A, D>, Failed<Self>>;
}

/// A state in which a buffer leaves its process without a wait on the other side. Sealed.
///
/// Implemented by [`Synced`] alone.
#[diagnostic::on_unimplemented(
    message = "this buffer is not ready for another process: its state is `{Self}`",
    label = "work on it may still be in flight, and the other process would not wait for it",
    note = "let the other side's stream wait: export `stream.record(buf)?` (one event; no host blocks)",
    note = "or finish it first: `stream.sync(buf)?`",
    note = "`Loose` remembers its stream at run time only: `stream.record(stream.take(buf)?)?`"
)]
pub trait NothingInFlight<D>: sealed::NothingInFlight<D> {}

impl<D> NothingInFlight<D> for Synced<D> {}

/// Memory that other processes can map. Sealed.
///
/// Implemented by [`Exportable`] alone.
#[diagnostic::on_unimplemented(
    message = "memory of kind `{Self}` cannot be handed to another process",
    label = "only a whole buffer from an exportable pool can",
    note = "allocate it there: `let pool = device.pool::<Exportable>()?; let buf = stream.alloc_in(pool, len)?`",
    note = "or copy it into such a buffer: `stream.copy(&buf, &mut exportable)?`",
    note = "the parts of an exportable buffer are `Vram`; another process's memory, `Imported`, is not handed on"
)]
pub trait LeavesProcess: Memory + sealed::LeavesProcess {}

impl LeavesProcess for Exportable {}

/// Access for which a [`Shared`] may be exported: its readers go on here. Sealed.
///
/// Implemented by [`ReadOnly`] alone.
#[diagnostic::on_unimplemented(
    message = "a shared buffer is not lent for writing",
    label = "its readers in this process may still read it",
    note = "publish it for reading: `exporter.publish(shared)?`",
    note = "or join the readers first: `exporter.lend(stream.record(stream.reunite(shared)?)?, peer)?`"
)]
pub trait ReadersStay: PeerAccess + sealed::ReadersStay {}

impl ReadersStay for ReadOnly {}

impl<A: PeerAccess, D, T: Pod, St: State + NothingInFlight<D>, M: LeavesProcess> ReadyFor<A, D> for Buffer<T, St, M> {
    type Element = T;
    type Back = Self;

    fn pack(self, _: sealed::Door) -> Result<Parcel<Self, A, D>, Failed<Self>> {
        match Label::of(&self, None) {
            Ok(label) => Ok(Parcel::new(self, label)),
            Err(error) => Err(Failed::new(error, self)),
        }
    }
}

impl<A: PeerAccess, D, T: Pod, M: LeavesProcess> ReadyFor<A, D> for Recorded<Buffer<T, Loose<D>, M>, D> {
    type Element = T;
    type Back = Buffer<T, Loose<D>, M>;

    fn pack(self, _: sealed::Door) -> Result<Parcel<Self::Back, A, D>, Failed<Self>> {
        match Label::of(self.parts(), Some(self.source())) {
            // The buffer is still ready on the stream of the record, which it remembers.
            Ok(label) => Ok(Parcel::new(self.into_parts(), label)),
            Err(error) => Err(Failed::new(error, self)),
        }
    }
}

impl<A: ReadersStay, D, T: Pod, M: LeavesProcess> ReadyFor<A, D> for Shared<Buffer<T, Loose<D>, M>, D> {
    type Element = T;
    type Back = Self;

    fn pack(self, _: sealed::Door) -> Result<Parcel<Self, A, D>, Failed<Self>> {
        match Label::of(self.parts(), Some(self.home())) {
            Ok(label) => Ok(Parcel::new(self, label)),
            Err(error) => Err(Failed::new(error, self)),
        }
    }
}

/// The orphan rule lets a user implement a relation for foreign types as soon as one parameter is local: so the seals have
/// the same parameters.
pub(crate) mod sealed {
    use super::{Buffer, Exportable, Loose, ReadOnly, Recorded, Shared, Synced};
    use crate::{Memory, PeerAccess, State};
    use bytemuck::Pod;

    /// Shows that it is this module that asks.
    #[allow(missing_debug_implementations, reason = "it never leaves this crate")]
    pub struct Door(pub(super) ());

    pub trait ReadyFor<A, D> {}
    impl<A: PeerAccess, D, T: Pod, St: State + NothingInFlight<D>, M: Memory + LeavesProcess> ReadyFor<A, D>
        for Buffer<T, St, M>
    {
    }
    impl<A: PeerAccess, D, T: Pod, M: Memory + LeavesProcess> ReadyFor<A, D> for Recorded<Buffer<T, Loose<D>, M>, D> {}
    impl<A: ReadersStay, D, T: Pod, M: Memory + LeavesProcess> ReadyFor<A, D> for Shared<Buffer<T, Loose<D>, M>, D> {}

    pub trait NothingInFlight<D> {}
    impl<D> NothingInFlight<D> for Synced<D> {}

    pub trait LeavesProcess {}
    impl LeavesProcess for Exportable {}

    pub trait ReadersStay {}
    impl ReadersStay for ReadOnly {}
}

impl Label {
    /// `ready_on`: a stream on which everything earlier on the buffer is, where it may be in flight.
    fn of<T, St: State, M: Memory>(
        buffer: &Buffer<T, St, M>,
        ready_on: Option<&'static StreamCore>,
    ) -> Result<ManuallyDrop<Label>> {
        let Some(home) = buffer.home() else { return Err(Error::NoMemory) };
        let (device, ptr) = (home.device, buffer.address_or_null());
        device.usable()?;
        let pool = pool_of(device, ptr)?;
        // SAFETY: (1) the buffer is live, whole (a part is not `Exportable`), and its pool is exportable.
        let pointer = unsafe { device.driver.pointer_export(&device.context, ptr) }?;
        // Last: nothing after it can fail, and an event is not given back by a drop.
        let ready = ready_on.map(|stream| stream.as_home(InterprocessEvent::recorded)).transpose()?;
        Ok(ManuallyDrop::new(Label { device, pool, pointer, ready, len: buffer.len() }))
    }
}

/// The pool of an exportable buffer.
fn pool_of(device: &'static DeviceCore, ptr: DevicePtr) -> Result<&'static PoolCore> {
    // SAFETY: (1) a live allocation of this device, by I2 of the buffer.
    let handle = unsafe { device.driver.pool_of(&device.context, ptr) }?;
    device.pools.exportable(handle).ok_or(Error::NotSupported {
        ordinal: device.context.ordinal,
        what: "exportable pool with this memory",
        instead: "allocate from `device.pool::<Exportable>()?`",
    })
}

impl<B, A, D> Parcel<B, A, D> {
    fn new(contents: B, label: ManuallyDrop<Label>) -> Self {
        Parcel { contents: ManuallyDrop::new(contents), label, _brands: PhantomData }
    }

    /// Locks a buffer away for other processes.
    ///
    /// `cuPointerGetAttribute`, `cuMemPoolExportPointer`; for a record or a shared buffer also one `cuEventRecord`, of an
    /// interprocess event, on its stream (`cuEventCreate` and `cuIpcGetEventHandle` where none is idle).
    ///
    /// # Errors
    /// [`Error::NoMemory`], [`Error::Driver`], [`Error::Poisoned`]; what was given comes back.
    pub fn pack<R: ReadyFor<A, D, Back = B>>(ready: R) -> Result<Self, Failed<R>> {
        ready.pack(sealed::Door(()))
    }

    /// What other processes import the memory by, once they have its pool.
    pub fn pointer(&self) -> &PointerData {
        &self.label.pointer
    }

    /// What other processes open the event by that they must wait for before they touch the memory. `None`: nothing is in
    /// flight on it.
    pub fn ready(&self) -> Option<&EventData> {
        self.label.ready.as_ref().map(InterprocessEvent::data)
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.label.len
    }

    /// The pool that the memory is from.
    pub fn pool(&self) -> Pool<Exportable, D> {
        // SAFETY: (1) found as an exportable pool of the buffer's device, whose brand is `D`.
        unsafe { Pool::new(self.label.pool) }
    }

    /// Takes the buffer back.
    ///
    /// # Safety
    /// 1. Every process that was told of the memory has let go of it: the free of its import has taken effect, which this
    ///    process has learnt from it; or it has not imported it, and never will. (The driver promises the same of one whose
    ///    exit, and that of every process with its descriptors, has been seen; see the protocol's own words on that.)
    /// 2. None of them is still to wait for the event.
    pub unsafe fn unpack(self) -> B {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: taken once: `this` is not dropped.
        let (contents, label) =
            unsafe { (ManuallyDrop::take(&mut this.contents), ManuallyDrop::take(&mut this.label)) };
        if let Some(event) = label.ready {
            // SAFETY: (1) by 2.
            unsafe { event.give_back() };
        }
        contents
    }
}

impl<B, D> Deref for Parcel<B, ReadOnly, D> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.contents
    }
}

impl<B, A, D> Drop for Parcel<B, A, D> {
    fn drop(&mut self) {
        self.label.device.leak();
    }
}

impl<B, A, D> fmt::Debug for Parcel<B, A, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parcel({} elements)", self.label.len)
    }
}

impl<D> Device<D> {
    /// The device's identity, the same in every process (`cuDeviceGetUuid`).
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn uuid(self) -> Result<DeviceUuid> {
        let core = self.core();
        core.usable()?;
        // SAFETY: (1) the context is open.
        Ok(unsafe { core.driver.device_uuid(&core.context) }?)
    }
}
