//! From brands to devices and streams: the only way there is.

use super::buffer::{Buffer, bytes_of};
use super::cache::Cache;
use super::device::{DeviceCore, lock};
use super::driver::{DevicePtr, Driver, Space, StreamKind};
use super::handover::{Fact, Sources};
use super::host_fn;
use super::managed::ConcurrentAccess;
use super::module::{Kernels, Module, ModuleCore};
use super::place::Place;
use super::pool::{Pool, PoolCore};
use super::scope;
use super::stream::Stream;
use super::stream_core::StreamCore;
use crate::batch::{Batch, Buffers, OnDevice};
use crate::brand::{Invariant, kind};
use crate::{
    Anonymous, DeviceBrand, Error, Failed, Managed, Memory, NonBlocking, Pinned, PoolMemory, Primary, Result, Scoped,
    Several, StreamBrand, Synced,
};
use bytemuck::Pod;
use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock, Mutex};

/// An opened device. `Copy`, 8 bytes.
///
/// `D` is its brand: [`Primary`] for the process's own device, [`Scoped`] inside
/// [`scope`](Device::scope).
pub struct Device<D = Primary> {
    core: &'static DeviceCore,
    _brand: Invariant<D>,
}

/// One device for one `'static` brand, for the life of the process: never torn down.
static BOUND: LazyLock<Mutex<HashMap<TypeId, Place<DeviceCore>>>> = LazyLock::new(Mutex::default);

impl Device<Primary> {
    /// The process's own device: ordinal 0 of `driver`. Later calls with the same driver return the same device.
    ///
    /// `cuDevicePrimaryCtxRetain` at the first call.
    ///
    /// # Errors
    /// [`Error::DeviceBound`] if an earlier call of this process named another driver or ordinal;
    /// [`Error::NoSuchDevice`], [`Error::Driver`].
    pub fn primary(driver: impl Into<Arc<dyn Driver>>) -> Result<Device> {
        Device::primary_at(driver, 0)
    }

    /// [`primary`](Device::primary) on the device of another ordinal.
    ///
    /// # Errors
    /// As for [`primary`](Device::primary).
    pub fn primary_at(driver: impl Into<Arc<dyn Driver>>, ordinal: u32) -> Result<Device> {
        Device::bind(driver, ordinal)
    }

    /// Opens a device for the length of `f`. Nothing that belongs to it can leave `f`.
    ///
    /// For tests, simulator runs, and loops over devices: each scope has streams of its own, also for the same brands.
    /// At the end, also when `f` panics, the context is synchronised (`cuCtxSynchronize`: it waits for *every* stream of
    /// the context, those of other scopes on the same ordinal included) and its streams, events and modules are
    /// destroyed. If that wait fails everything is leaked, and nothing destroyed.
    ///
    /// # Errors
    /// What `f` returns; [`Error::NoSuchDevice`]; [`Error::Driver`] if
    /// the device cannot be opened or the final wait fails.
    pub fn scope<R>(
        driver: impl Into<Arc<dyn Driver>>,
        ordinal: u32,
        f: impl for<'id> FnOnce(Device<Scoped<'id>>) -> Result<R>,
    ) -> Result<R> {
        Device::scope_as::<Anonymous, R>(driver, ordinal, f)
    }

    /// [`scope`](Device::scope) with a tag, by which error messages tell two scopes apart.
    ///
    /// `Device::scope_as::<Left, _>(driver, 0, |device| ..)`, where `Left` is any type.
    ///
    /// # Errors
    /// As for [`scope`](Device::scope).
    pub fn scope_as<Tag, R>(
        driver: impl Into<Arc<dyn Driver>>,
        ordinal: u32,
        f: impl for<'id> FnOnce(Device<Scoped<'id, Tag>>) -> Result<R>,
    ) -> Result<R> {
        scope::run(driver.into(), ordinal, f)
    }
}

impl Device<Primary> {
    /// Opens all devices of the driver for the length of `f`, told apart at run time: for a number of devices that is
    /// known at run time only.
    ///
    /// They share one brand, which names no single stream: take streams by [`any_stream`](Device::any_stream). Hand-overs
    /// between them are by event, as on one device; they need every device to be able to address every other's memory,
    /// which is asked of the driver and enabled at the start (`cuDeviceCanAccessPeer`, `cuCtxEnablePeerAccess`,
    /// `cuMemPoolSetAccess`). Where that is not so a hand-over between two devices is [`Error::DeviceMismatch`].
    ///
    /// # Errors
    /// As for [`scope`](Device::scope).
    pub fn scope_all<R>(
        driver: impl Into<Arc<dyn Driver>>,
        f: impl for<'id> FnOnce(Vec<Device<Several<'id>>>) -> Result<R>,
    ) -> Result<R> {
        scope::run_all(driver.into(), f)
    }
}

impl<D: DeviceBrand + 'static> Device<D> {
    /// Binds a device brand to a device, for the life of the process: `Device::<Left>::bind(driver, 1)?`. Later calls with
    /// the same driver and ordinal return the same device.
    ///
    /// Two brands may be bound to one ordinal: they are two devices as far as types go, each with streams of its own.
    ///
    /// `cuDevicePrimaryCtxRetain` at the first call.
    ///
    /// # Errors
    /// [`Error::DeviceBound`] if the brand is bound to another driver or ordinal; [`Error::NoSuchDevice`],
    /// [`Error::Driver`].
    pub fn bind(driver: impl Into<Arc<dyn Driver>>, ordinal: u32) -> Result<Self> {
        let driver = driver.into();
        host_fn::outside()?;
        let mut bound = lock(&BOUND);
        let core = match bound.get(&TypeId::of::<D>()).map(Place::get) {
            Some(core) if core.driver.id() == driver.id() && core.context.ordinal == ordinal => core,
            Some(core) => {
                let bound = (core.driver.name(), core.context.ordinal);
                return Err(Error::DeviceBound { bound, asked: (driver.name(), ordinal) });
            }
            None => {
                let core = DeviceCore::open(driver, ordinal, Arc::default())?;
                bound.entry(TypeId::of::<D>()).insert_entry(core).get().get()
            }
        };
        // SAFETY: (1) the one device that `BOUND` has for the brand.
        Ok(unsafe { Device::new(core) })
    }
}

impl<D> Device<D> {
    /// # Safety
    /// 1. `core` is the one device of brand `D`.
    pub(super) unsafe fn new(core: &'static DeviceCore) -> Self {
        Device { core, _brand: PhantomData }
    }

    pub(super) fn core(self) -> &'static DeviceCore {
        self.core
    }

    /// The stream of brand `S` on this device. The same brand is always the same stream.
    ///
    /// `cuStreamCreateWithPriority` and `cuEventCreate` at the first call.
    ///
    /// # Errors
    /// [`Error::Poisoned`], [`Error::Driver`].
    pub fn stream<S: StreamBrand>(self) -> Result<Stream<S, D>>
    where
        D: DeviceBrand,
    {
        let core = self.core.registered::<S>()?;
        // SAFETY: (1) the registry has one stream for one `TypeId`, and `D` is this one device.
        Ok(unsafe { Stream::new(core) })
    }

    /// Several streams: `let (upload, compute) = device.streams::<(Upload, Compute)>()?;`
    ///
    /// # Errors
    /// As for [`stream`](Device::stream).
    pub fn streams<L: StreamList<D>>(self) -> Result<L::Streams>
    where
        D: DeviceBrand,
    {
        L::open(self)
    }

    /// Loads a module of kernels; later calls return the same module.
    ///
    /// `cuModuleLoadDataEx` at the first call. Number and sizes of the parameters are checked against the PTX.
    ///
    /// # Errors
    /// [`Error::Driver`]: of kind [`KernelMismatch`](crate::driver::ErrorKind::KernelMismatch) if the PTX does not match
    /// the declaration, [`InvalidModule`](crate::driver::ErrorKind::InvalidModule) if it does not load.
    /// [`Error::Poisoned`].
    pub fn load<K: Kernels>(self) -> Result<K::Loaded<D>> {
        let core = ModuleCore::load(self.core(), K::DECL)?;
        // SAFETY: (1) loaded from `K::DECL` on this device.
        Ok(unsafe { K::loaded(Module::new(core)) })
    }

    /// Page-locked host memory for `len` elements, with unspecified contents. `cuMemHostAlloc`, unless the device's
    /// cache has idle memory of that size.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Poisoned`], [`Error::Driver`] (out of memory).
    pub fn pinned<T: Pod>(self, len: usize) -> Result<Buffer<T, Synced<D>, Pinned>> {
        // SAFETY: (1) pinned memory.
        unsafe { self.outside_of_streams(Space::PinnedMemory, len) }
    }

    /// Page-locked host memory with the elements of `source`.
    ///
    /// # Errors
    /// As for [`pinned`](Device::pinned).
    pub fn pinned_from<T: Pod>(self, source: &[T]) -> Result<Buffer<T, Synced<D>, Pinned>> {
        let mut buffer = self.pinned(source.len())?;
        buffer.as_mut_slice().copy_from_slice(source);
        Ok(buffer)
    }

    /// Managed memory for `len` elements, with unspecified contents. `cuMemAllocManaged`, unless the device's cache has
    /// idle memory of that size; `cuDeviceGetAttribute` at the first call.
    ///
    /// # Errors
    /// [`Error::NotSupported`] where `concurrentManagedAccess` is 0: a host slice would fault as soon as the device works
    /// on anything. [`Error::TooLarge`], [`Error::Poisoned`], [`Error::Driver`] (out of memory).
    pub fn managed<T: Pod>(self, len: usize) -> Result<Buffer<T, Synced<D>, Managed>> {
        bytes_of::<T>(len)?;
        ConcurrentAccess::required(self.core())?;
        // SAFETY: (1) managed memory.
        unsafe { self.outside_of_streams(Space::ManagedMemory, len) }
    }

    /// Memory that no stream allocates, out of the device's cache.
    ///
    /// # Safety
    /// 1. Memory of kind `M` is in `space`.
    unsafe fn outside_of_streams<T: Pod, M: Memory>(self, space: Space, len: usize) -> Result<Buffer<T, Synced<D>, M>> {
        let bytes = bytes_of::<T>(len)?;
        if bytes == 0 {
            // SAFETY: (1) the elements have no bytes.
            return Ok(unsafe { Buffer::from_parts(DevicePtr::NULL, len, None) });
        }
        let home = self.core.stream_of_its_own()?;
        let ptr = Cache::allocate(self.core(), space, bytes)?;
        // SAFETY: (1) fresh or idle memory of at least that size, of kind `M` (1). (2) nothing is in flight on it.
        Ok(unsafe { Buffer::from_parts(ptr, len, Some(home)) })
    }

    /// Managed memory with the elements of `source`.
    ///
    /// # Errors
    /// As for [`managed`](Device::managed).
    pub fn managed_from<T: Pod>(self, source: &[T]) -> Result<Buffer<T, Synced<D>, Managed>> {
        let mut buffer = self.managed(source.len())?;
        buffer.as_mut_slice().copy_from_slice(source);
        Ok(buffer)
    }

    /// A new pool of memory of kind `M`: [`Vram`](crate::Vram), [`Pinned`](crate::Pinned),
    /// [`Managed`](crate::Managed), or, for other processes, [`Exportable`](crate::Exportable). Each call makes one, which
    /// lives as long as the device.
    ///
    /// Not for [`Several`](crate::Several) devices: their peers do not reach the memory of a pool of one's own.
    ///
    /// `cuMemPoolCreate`; for managed memory `cuDeviceGetAttribute` at the first call.
    ///
    /// # Errors
    /// [`Error::NotSupported`] where the device or the driver has no pools of that memory, and for managed memory where
    /// [`managed`](Device::managed) returns it. [`Error::Poisoned`], [`Error::Driver`].
    pub fn pool<M: PoolMemory>(self) -> Result<Pool<M, D>>
    where
        D: DeviceBrand,
    {
        let core = PoolCore::create(self.core(), M::SPACE, M::EXPORTABLE)?;
        // SAFETY: (1) made from `M`, on this device, which is the only one of its brand.
        Ok(unsafe { Pool::new(core) })
    }

    /// Makes the host wait for everything submitted to any stream of this device's context (`cuCtxSynchronize`), and gives
    /// it the buffers, on whatever streams of this device they are.
    ///
    /// `device.sync(())?` waits with no buffer at all. Another device's buffers are refused: by type, or, of a brand that
    /// stands for several devices, at run time if work on them may be in flight.
    ///
    /// # Errors
    /// [`Error::DeviceMismatch`], [`Error::Driver`], [`Error::Poisoned`]; the buffers come back.
    pub fn sync<B: OnDevice<D>>(self, buffers: B) -> Result<B::With<Synced<D>>, Failed<B>> {
        let parts = buffers.lower();
        let device = self.core;
        let waited = Sources::all(&parts).all_on(device).and_then(|()| device.usable()).and_then(|()| device.sync());
        match waited.and_then(|()| device.panics.report()) {
            // SAFETY: (1) everything earlier on the buffers was submitted to streams of this context (I1; adopted streams
            // are checked to be), whose end the host has seen.
            Ok(()) => Ok(B::With::raise(parts.retype(unsafe { Fact::where_it_is() }))),
            Err(error) => Err(Failed::new(error, B::raise(parts))),
        }
    }

    /// The lowest and the highest priority of a stream, as numbers: lower is sooner (`cuCtxGetStreamPriorityRange`).
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn priorities(self) -> Result<(i32, i32)> {
        self.core.usable()?;
        // SAFETY: (1) the context is open.
        Ok(unsafe { self.core.driver.priority_range(&self.core.context) }?)
    }

    /// The device's ordinal in its driver.
    pub fn ordinal(self) -> u32 {
        self.core.context.ordinal
    }

    /// The name of its driver: `cuda`, `sim`.
    pub fn driver_name(self) -> &'static str {
        self.core.driver.name()
    }

    /// How many allocations could not be freed: the call failed, the device is poisoned, or the drop was in a host function,
    /// in a capture, or on another thread than its per-thread stream's. A forgotten value is not counted.
    pub fn leaked(self) -> usize {
        self.core.leaked()
    }

    /// Whether an earlier wait on this device failed ([`Error::Poisoned`]).
    pub fn is_poisoned(self) -> bool {
        self.core.is_poisoned()
    }
}

impl DeviceCore {
    /// A stream of this device for what is on none: pinned and managed memory from the host, what is left of an adoption,
    /// and what a per-thread stream has completed. So every buffer has one to remember.
    pub(super) fn stream_of_its_own(&'static self) -> Result<&'static StreamCore> {
        enum Host {}
        impl StreamBrand for Host {
            type Kind = NonBlocking;
            const NAME: &'static str = "Host";
        }
        self.registered::<Host>()
    }

    fn registered<S: StreamBrand>(&'static self) -> Result<&'static StreamCore> {
        self.registered_as(TypeId::of::<S>(), <S::Kind as kind::Sealed>::KIND, S::PRIORITY, S::NAME)
    }

    /// Not generic: compiled once, and not once a brand.
    fn registered_as(
        &'static self,
        brand: TypeId,
        kind: StreamKind,
        priority: i32,
        name: &'static str,
    ) -> Result<&'static StreamCore> {
        host_fn::outside()?;
        let mut streams = lock(&self.streams);
        if let Some(core) = streams.get(&brand) {
            return Ok(core.get());
        }
        let core = StreamCore::create(self, kind, priority, name)?;
        Ok(streams.entry(brand).insert_entry(core).get().get())
    }
}

/// A tuple of one to eight stream brands. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of stream brands",
    label = "cannot be opened on the device",
    note = "`device.streams::<(Upload, Compute)>()?`, with brands declared by `antecede::streams! {{ Upload, Compute }}`",
    note = "for a single one: `device.stream::<Upload>()?`"
)]
pub trait StreamList<D>: list::Sealed<D> {
    /// The streams, in the same order.
    type Streams;
    #[doc(hidden)]
    fn open(device: Device<D>) -> Result<Self::Streams>;
}

mod list {
    pub trait Sealed<D> {}
}

macro_rules! stream_lists {
    ($($($name:ident)+;)+) => { $(
        impl<D: DeviceBrand, $($name: StreamBrand),+> list::Sealed<D> for ($($name,)+) {}
        impl<D: DeviceBrand, $($name: StreamBrand),+> StreamList<D> for ($($name,)+) {
            type Streams = ($(Stream<$name, D>,)+);

            fn open(device: Device<D>) -> Result<Self::Streams> {
                Ok(($(device.stream::<$name>()?,)+))
            }
        }
    )+ };
}

stream_lists! {
    A;
    A B;
    A B C;
    A B C E;
    A B C E F;
    A B C E F G;
    A B C E F G H;
    A B C E F G H I;
}

impl<D> Clone for Device<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Device<D> {}

impl<D> fmt::Debug for Device<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({} {})", self.driver_name(), self.ordinal())
    }
}
