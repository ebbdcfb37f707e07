//! What arrives from other processes.

use super::imports::{Import, ImportCore, Key};
use crate::brand::Invariant;
use crate::driver::{DevicePtr, ErrorKind, EventData, EventId, EventRef, PointerData, PoolRef, Space};
use crate::trusted::buffer::{Buffer, bytes_of};
use crate::trusted::device::DeviceCore;
use crate::trusted::pool::{Pool, is_own};
use crate::trusted::registry::Device;
use crate::trusted::stream::Stream;
use crate::trusted::stream_core::StreamCore;
use crate::{DeviceBrand, Error, Exportable, Failed, Imported, On, PeerAccess, Primary, Result};
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;

/// Another process's pool, opened in this one. `Clone`: the same pool.
///
/// Its handle outlives every buffer that was imported from it.
pub struct ImportedPool<D = Primary> {
    core: Arc<ImportedPoolCore>,
    _device: Invariant<D>,
}

pub(super) struct ImportedPoolCore {
    device: &'static DeviceCore,
    pool: PoolRef,
}

/// What the data of a [`Parcel`](super::Parcel) says: how to find the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The [identity](Pool::identity) of the pool that the memory is from; of one that this crate did not make, a number
    /// that no other pool has.
    pub pool: u128,
    /// [`Parcel::pointer`](super::Parcel::pointer).
    pub pointer: PointerData,
    /// [`Parcel::ready`](super::Parcel::ready).
    pub ready: Option<EventData>,
    /// [`Parcel::element_count`](super::Parcel::element_count).
    pub len: usize,
}

impl<D> Pool<Exportable, D> {
    /// A descriptor by which other processes open the pool, closed on `exec` (`cuMemPoolExportToShareableHandle`). By itself
    /// it opens no memory to anyone.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn descriptor(self) -> Result<OwnedFd> {
        let core = self.core();
        core.device.usable()?;
        // SAFETY: (1) the pool lives as long as its device; made as an exportable one.
        Ok(unsafe { core.device.driver.pool_export(&core.pool) }?)
    }

    /// A number that no other pool has, in any process: what a [`Manifest`] names it by.
    pub fn identity(self) -> u128 {
        self.core().identity
    }
}

impl<D: DeviceBrand> Device<D> {
    /// Opens another process's pool (`cuMemPoolImportFromShareableHandle`). The descriptor may be closed afterwards.
    ///
    /// # Errors
    /// [`Error::Driver`] where it is not the descriptor of a pool on this device; [`Error::Poisoned`].
    pub fn import_pool(self, descriptor: BorrowedFd<'_>) -> Result<ImportedPool<D>> {
        let device = self.core();
        device.usable()?;
        device.imports.retired.destroy(device);
        // SAFETY: (1) the context is open.
        let handle = unsafe { device.driver.pool_import(&device.context, descriptor) }?;
        let pool = PoolRef { context: device.context, space: Space::DeviceMemory, handle };
        Ok(ImportedPool { core: Arc::new(ImportedPoolCore { device, pool }), _device: PhantomData })
    }
}

impl<S, D> Stream<S, D> {
    /// Maps another process's memory, for use on this stream, which waits for the event that came along.
    ///
    /// `cuMemPoolImportPointer`, `cuMemGetAddressRange`; with an event also `cuIpcOpenEventHandle` and
    /// `cuStreamWaitEvent`. The host does not block.
    ///
    /// # Errors
    /// [`Error::AlreadyImported`] if this process has the memory already, whichever way it came; [`Error::OwnMemory`];
    /// [`Error::ImportTooShort`];
    /// [`Error::NoMemory`], [`Error::TooLarge`], [`Error::Driver`], [`Error::Poisoned`]. Nothing is mapped then, unless the
    /// device is [poisoned](Device::is_poisoned), or an import comes back: the stream's wait failed, and may have been
    /// submitted all the same. That import is ending, on this stream, and is to be watched like any other.
    ///
    /// # Safety
    /// 1. The manifest was made from a [`Parcel`](super::Parcel) with access `A`, of elements whose every byte pattern is a
    ///    `T`, in the pool that `pool` was opened from.
    /// 2. The parcel is not unpacked before the import has [ended](super::ImportState::Ended), or this process is gone.
    /// 3. With access [`ReadWrite`](crate::ReadWrite) no other process imports the parcel.
    pub unsafe fn import<T: Pod, A: PeerAccess>(
        self,
        pool: &ImportedPool<D>,
        manifest: &Manifest,
    ) -> Result<(Buffer<T, On<S, D>, Imported<A>>, Import<D>), Failed<Option<Import<D>>>>
    where
        Imported<A>: crate::Memory,
    {
        let stream = self.core();
        let not_mapped = |error| Failed::new(error, None);
        let bytes = bytes_of::<T>(manifest.len).map_err(not_mapped)?;
        let (ptr, ready, import) = map(stream, &pool.core, manifest, bytes).map_err(not_mapped)?;
        let import = Import::new(stream.device.imports.hold(stream.device, ptr, import).map_err(not_mapped)?);
        // SAFETY: (1) mapped for that many elements, and nobody else has it in this process; `Imported` ends the import. (2)
        // what the exporter did is before the event that the stream waits for, or complete (the parcel's). Until it waits,
        // nobody but the drop below uses the memory.
        let buffer = unsafe { Buffer::from_parts(ptr, manifest.len, Some(stream)) };
        // Last: once a wait was submitted the exporter must not record the event again before the wait is over.
        match ready.map_or(Ok(()), |ready| stream.wait(&ready)) {
            Ok(()) => Ok((buffer, import)),
            Err(error) => {
                // Its free is after the wait, if that was submitted: the end of the one is seen by that of the other.
                drop(buffer);
                Err(Failed::new(error, Some(import)))
            }
        }
    }
}

/// Maps the memory, and opens the event. Nothing is mapped if it fails, unless the device is poisoned then.
fn map(
    stream: &StreamCore,
    pool: &Arc<ImportedPoolCore>,
    manifest: &Manifest,
    bytes: usize,
) -> Result<(DevicePtr, Option<EventRef>, ImportCore)> {
    let device = pool.device;
    stream.usable()?;
    stream.not_captured()?;
    debug_assert!(stream.device.is(device), "the brand is one device's");
    if bytes == 0 {
        return Err(Error::NoMemory);
    }
    if is_own(manifest.pool, device.driver.id()) {
        return Err(Error::OwnMemory);
    }
    let mut import = ImportCore::new(Key::new(&device.context, manifest), pool.clone())?;
    let ready = manifest.ready.as_ref().map(|ready| import.open(device, ready)).transpose()?;
    // SAFETY: (1) the pool is live. (8) nobody in this process has it (`ImportCore::new`), and it is not freed before
    // this import has ended (`Stream::import`, 2).
    let ptr = unsafe { device.driver.pointer_import(&pool.pool, &manifest.pointer) }?;
    if let Err(error) = long_enough(device, ptr, bytes) {
        // SAFETY: (1, 2) just mapped, and used by nothing.
        if unsafe { unmap(device, ptr) }.is_err() {
            // The memory may still be mapped: this process does not map it again.
            import.lose();
        }
        return Err(error);
    }
    Ok((ptr, ready, import))
}

/// Whether the allocation has as many bytes as was announced, where the driver tells.
fn long_enough(device: &DeviceCore, ptr: DevicePtr, needed: usize) -> Result<()> {
    // SAFETY: (1) live memory, just mapped.
    match unsafe { device.driver.allocation_bytes(&device.context, ptr) } {
        Err(error) if error.kind == ErrorKind::NotSupported => Ok(()),
        Err(error) => Err(error.into()),
        Ok(found) if found < needed => Err(Error::ImportTooShort { needed, found }),
        Ok(_) => Ok(()),
    }
}

/// Ends a mapping that nobody got, and waits for that. If it fails the device is poisoned.
///
/// # Safety
/// 1. `ptr` was imported on the device, and has not been freed.
/// 2. Nothing has used it.
unsafe fn unmap(device: &'static DeviceCore, ptr: DevicePtr) -> Result<()> {
    let ended = device.stream_of_its_own().and_then(|own| {
        // SAFETY: (1, 4) by 1 and 2; the stream lives as long as the device.
        unsafe { own.driver().free_async(&own.stream, ptr) }?;
        own.drain()
    });
    if ended.is_err() {
        // It may still be mapped, and nobody is left to say so.
        device.leak();
        device.poison();
    }
    ended
}

impl ImportedPoolCore {
    pub(super) fn device(&self) -> &'static DeviceCore {
        self.device
    }
}

impl Drop for ImportedPoolCore {
    fn drop(&mut self) {
        self.device.imports.retired.pool(self.device, self.pool);
    }
}

impl ImportCore {
    /// Opens the event of an import.
    fn open(&mut self, device: &DeviceCore, data: &EventData) -> Result<EventRef> {
        let event = open_event(device, data)?;
        self.event = Some(event);
        Ok(event)
    }
}

fn open_event(device: &DeviceCore, data: &EventData) -> Result<EventRef> {
    let id = EventId::fresh();
    // SAFETY: (1) the context is open; the event was recorded when its parcel was packed.
    let handle = unsafe { device.driver.event_import(&device.context, id, data) }?;
    Ok(EventRef { id, context: device.context, handle })
}

/// Another process's event, to be looked at before anything waits for it.
pub struct PeerEvent<D = Primary> {
    device: &'static DeviceCore,
    event: EventRef,
    _device: Invariant<D>,
}

impl<D: DeviceBrand> Device<D> {
    /// Opens another process's event (`cuIpcOpenEventHandle`).
    ///
    /// # Errors
    /// [`Error::Driver`] where the data is no event's, or that process is gone; [`Error::Poisoned`].
    pub fn peer_event(self, data: &EventData) -> Result<PeerEvent<D>> {
        let device = self.core();
        device.usable()?;
        Ok(PeerEvent { device, event: open_event(device, data)?, _device: PhantomData })
    }
}

impl<D> PeerEvent<D> {
    /// Whether its latest record has taken effect (`cuEventQuery`). The host does not block.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn has_passed(&self) -> Result<bool> {
        self.device.usable()?;
        // SAFETY: (1) opened by `event_import`, and live as long as this.
        Ok(unsafe { self.device.driver.event_query(&self.event) }?)
    }
}

impl<D> Drop for PeerEvent<D> {
    fn drop(&mut self) {
        self.device.imports.retired.event(self.device, self.event);
    }
}

impl<D> fmt::Debug for PeerEvent<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PeerEvent({:#x})", self.event.handle)
    }
}

impl<D> Clone for ImportedPool<D> {
    fn clone(&self) -> Self {
        ImportedPool { core: self.core.clone(), _device: PhantomData }
    }
}

impl<D> fmt::Debug for ImportedPool<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ImportedPool({:#x})", self.core.pool.handle)
    }
}
