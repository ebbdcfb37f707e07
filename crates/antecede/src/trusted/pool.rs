//! Pools of stream-ordered memory, made by the user.

use super::device::{DeviceCore, lock};
use super::driver::{DevicePtr, DriverId, ErrorKind, PoolAttribute, PoolRef, Space};
use super::managed::ConcurrentAccess;
use super::place::Place;
use super::stream_core::StreamCore;
use crate::brand::Invariant;
use crate::{Error, Primary, Result};
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};

/// A pool of memory of kind `M`, from which streams of device `D` allocate in stream order. `Copy`, 8 bytes.
///
/// Made by [`Device::pool`](crate::Device::pool), used by [`Stream::alloc_in`](crate::Stream::alloc_in). It lives as long as its device: a scope destroys it at its end.
///
/// For a limit on what is kept (a release threshold), for numbers of one part of a program, or for host memory that is
/// allocated and freed in stream order. [`Stream::alloc`](crate::Stream::alloc) uses the device's default pool.
pub struct Pool<M, D = Primary> {
    core: &'static PoolCore,
    _brands: Invariant<(M, D)>,
}

/// When a pool uses freed memory again on another stream than it was freed on. All are on in a new pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reuse {
    /// Once an event has ordered that stream after the free (`CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES`).
    pub follow_events: bool,
    /// Once the free has completed (`CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC`). Whether it has depends on timing.
    pub opportunistic: bool,
    /// By an order that the driver adds itself (`CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES`): streams may then
    /// wait for each other where the program does not ask for it.
    pub internal_dependencies: bool,
}

/// How much memory a pool holds. In bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// Held from the system.
    pub reserved: u64,
    /// The most that was held.
    pub reserved_high: u64,
    /// In allocations.
    pub used: u64,
    /// The most that was in allocations.
    pub used_high: u64,
}

/// A pool of an opened device. Lives as long as its device.
pub(super) struct PoolCore {
    pub(super) device: &'static DeviceCore,
    pub(super) pool: PoolRef,
    /// Whether other processes can be let in to its memory.
    exportable: bool,
    /// No other pool has it, in any process, now or later.
    pub(super) identity: u128,
}

/// The pools that were made on one device.
#[derive(Default)]
pub(super) struct Pools(Mutex<Vec<Place<PoolCore>>>);

impl<M, D> Pool<M, D> {
    /// # Safety
    /// 1. `core` is a pool of the space of `M`, on the one device of brand `D`.
    pub(super) unsafe fn new(core: &'static PoolCore) -> Self {
        Pool { core, _brands: PhantomData }
    }

    pub(super) fn core(self) -> &'static PoolCore {
        self.core
    }

    /// Bytes that the pool keeps, unused, when a stream, event or context is synchronised (`cuMemPoolGetAttribute`). 0 in
    /// a new pool.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn release_threshold(self) -> Result<u64> {
        self.core.attribute(PoolAttribute::ReleaseThreshold)
    }

    /// Sets it (`cuMemPoolSetAttribute`). `u64::MAX`: everything is kept.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn set_release_threshold(self, bytes: u64) -> Result<()> {
        self.core.set(PoolAttribute::ReleaseThreshold, bytes)
    }

    /// When freed memory is used again on another stream (`cuMemPoolGetAttribute`, three times). Whatever is set, memory
    /// is never used again before its free takes effect.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn reuse(self) -> Result<Reuse> {
        let is_on = |attribute| Ok::<_, Error>(self.core.attribute(attribute)? != 0);
        Ok(Reuse {
            follow_events: is_on(PoolAttribute::ReuseFollowEvents)?,
            opportunistic: is_on(PoolAttribute::ReuseOpportunistic)?,
            internal_dependencies: is_on(PoolAttribute::ReuseInternalDependencies)?,
        })
    }

    /// Sets it (`cuMemPoolSetAttribute`, three times).
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`]; some of it may be set then.
    pub fn set_reuse(self, reuse: Reuse) -> Result<()> {
        let Reuse { follow_events, opportunistic, internal_dependencies } = reuse;
        self.core.set(PoolAttribute::ReuseFollowEvents, follow_events.into())?;
        self.core.set(PoolAttribute::ReuseOpportunistic, opportunistic.into())?;
        self.core.set(PoolAttribute::ReuseInternalDependencies, internal_dependencies.into())
    }

    /// Gives memory that no allocation uses back to the system, down to `keep` bytes (`cuMemPoolTrimTo`). Memory whose
    /// free has not completed stays.
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn trim(self, keep: usize) -> Result<()> {
        let PoolCore { device, pool, .. } = self.core;
        device.usable()?;
        // SAFETY: (1) the pool lives as long as its device.
        Ok(unsafe { device.driver.pool_trim(pool, keep) }?)
    }

    /// How much memory the pool holds (`cuMemPoolGetAttribute`, four times: other threads may allocate in between).
    ///
    /// # Errors
    /// [`Error::Driver`], [`Error::Poisoned`].
    pub fn statistics(self) -> Result<PoolStatistics> {
        Ok(PoolStatistics {
            reserved: self.core.attribute(PoolAttribute::ReservedBytes)?,
            reserved_high: self.core.attribute(PoolAttribute::ReservedHigh)?,
            used: self.core.attribute(PoolAttribute::UsedBytes)?,
            used_high: self.core.attribute(PoolAttribute::UsedHigh)?,
        })
    }
}

impl PoolCore {
    pub(super) fn create(device: &'static DeviceCore, space: Space, exportable: bool) -> Result<&'static PoolCore> {
        device.usable()?;
        if space == Space::ManagedMemory {
            ConcurrentAccess::required(device)?;
        }
        // SAFETY: (1) the context is open.
        let created = unsafe {
            match exportable {
                true => device.driver.exportable_pool_create(&device.context),
                false => device.driver.pool_create(&device.context, space),
            }
        };
        let handle = match created {
            Ok(handle) => handle,
            Err(error) if error.kind == ErrorKind::NotSupported => return Err(no_pool_of(device, space, exportable)),
            Err(error) => return Err(error.into()),
        };
        let pool = PoolRef { context: device.context, space, handle };
        let identity = identity();
        if exportable {
            lock(&EXPORTABLE).insert(identity, device.driver.id());
        }
        let core = Place::new(PoolCore { device, pool, exportable, identity });
        let pool = core.get();
        lock(&device.pools.0).push(core);
        Ok(pool)
    }

    /// `cuMemAllocFromPoolAsync`. `bytes` is not zero; the stream is of the pool's device.
    pub(super) fn alloc(&self, stream: &StreamCore, bytes: usize) -> Result<DevicePtr> {
        stream.usable()?;
        stream.not_captured()?;
        debug_assert!(stream.device.is(self.device), "the brand is one device's");
        // SAFETY: (1) stream and pool live as long as their device, which is one. (7) `usable`.
        Ok(unsafe { stream.driver().pool_alloc_async(&stream.stream, &self.pool, bytes) }?)
    }

    fn attribute(&self, attribute: PoolAttribute) -> Result<u64> {
        self.device.usable()?;
        // SAFETY: (1) the pool lives as long as its device.
        Ok(unsafe { self.device.driver.pool_attribute(&self.pool, attribute) }?)
    }

    fn set(&self, attribute: PoolAttribute, value: u64) -> Result<()> {
        self.device.usable()?;
        // SAFETY: (1) the pool lives as long as its device; the callers name attributes that can be set.
        Ok(unsafe { self.device.driver.pool_set(&self.pool, attribute, value) }?)
    }
}

/// The exportable pools of this process, and whose they are.
static EXPORTABLE: LazyLock<Mutex<HashMap<u128, DriverId>>> = LazyLock::new(Mutex::default);

/// Whether the pool was made by this process with this driver: it has the memory already.
#[cfg(unix)]
pub(super) fn is_own(identity: u128, driver: DriverId) -> bool {
    lock(&EXPORTABLE).get(&identity) == Some(&driver)
}

/// A number of the process that is drawn at random, and one that is counted: no two processes draw one, nor do two pools.
fn identity() -> u128 {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()));
    static NEXT: AtomicU64 = AtomicU64::new(1);
    u128::from(*PROCESS) << 64 | u128::from(NEXT.fetch_add(1, Ordering::Relaxed))
}

#[cold]
fn no_pool_of(device: &DeviceCore, space: Space, exportable: bool) -> Error {
    let (what, instead) = match space {
        Space::DeviceMemory if exportable => {
            ("pools that other processes can be let in to", "copy through the host, and a pipe or shared memory of its")
        }
        Space::DeviceMemory => {
            ("pools of device memory", "use `stream.alloc(len)?`, which allocates from the default one")
        }
        Space::PinnedMemory => ("pools of pinned memory", "use `device.pinned(len)?`"),
        Space::ManagedMemory => ("pools of managed memory", "use `device.managed(len)?`"),
    };
    Error::NotSupported { ordinal: device.context.ordinal, what, instead }
}

impl Pools {
    /// The exportable pool of that handle.
    #[cfg(unix)]
    pub(super) fn exportable(&self, handle: u64) -> Option<&'static PoolCore> {
        let pools = lock(&self.0);
        pools.iter().map(Place::get).find(|core| core.exportable && core.pool.handle == handle)
    }

    /// Destroys the pools, at the end of a scope. One with memory that was never freed (a buffer that was forgotten, or
    /// leaked) is leaked with it.
    ///
    /// # Safety
    /// 1. The device is drained and closing.
    /// 2. No [`Pool`] of it will be used again.
    pub(super) unsafe fn close(&self, device: &DeviceCore) {
        for core in lock(&self.0).drain(..) {
            let pool = core.get().pool;
            // SAFETY: (1) created by this driver, not destroyed yet; every allocation from it has been freed, for nothing
            // of it is in use, and the frees have taken effect (1).
            let destroyed = unsafe {
                device.driver.pool_attribute(&pool, PoolAttribute::UsedBytes) == Ok(0)
                    && device.driver.pool_destroy(&pool).is_ok()
            };
            if destroyed {
                lock(&EXPORTABLE).remove(&core.get().identity);
            } else {
                // What was handed out of it stays this process's own: it is not imported here later either.
                device.leak();
            }
            // SAFETY: (1) by 2.
            unsafe { core.free() };
        }
    }
}

impl<M, D> Clone for Pool<M, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, D> Copy for Pool<M, D> {}

impl<M, D> fmt::Debug for Pool<M, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({:?})", self.core.pool.space)
    }
}
