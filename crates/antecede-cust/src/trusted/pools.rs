//! Memory pools, and which devices may address them.

use std::collections::{BTreeMap, BTreeSet};
#[cfg(unix)]
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use antecede::driver::{
    ContextRef, DeviceAttribute, DriverError, DriverResult, ErrorKind, PoolAttribute, PoolRef, Space,
};
use cust::sys::{
    CUmemAccess_flags, CUmemAccessDesc, CUmemLocation, CUmemLocationType, CUmemPool_attribute, CUmemoryPool,
};

use super::attributes::{attribute, exports_pools};
use super::call::cuda;
use super::context::within;
use super::cuda::device;
#[cfg(unix)]
use super::pool_props::FILE_DESCRIPTOR;
use super::pool_props::{Props, in_props};

/// The pools that were created or imported, by the ordinal of the device that they belong to.
///
/// A pool is addressed by its own device alone until others are let in, one pool at a time. So the list of pools serves
/// a device that comes later, and the list of devices serves a pool that comes later.
#[derive(Default)]
pub(super) struct Pools {
    /// Locked by the creation and the end of pools and by peers; by nothing that submits.
    reach: Mutex<BTreeMap<u32, Reach>>,
}

/// What belongs to one device.
#[derive(Default)]
struct Reach {
    /// The handles of its pools, but for managed ones: every device addresses those.
    pools: BTreeSet<u64>,
    /// The other devices that may address its memory.
    devices: BTreeSet<u32>,
}

impl Pools {
    /// Creates a pool of the context's device.
    ///
    /// # Safety
    /// 1. The context is live.
    pub(super) unsafe fn create(&self, context: &ContextRef, space: Space) -> DriverResult<u64> {
        require(context.ordinal, space)?;
        // SAFETY: (1); `make` is one call.
        unsafe { self.enlist(context, space, || Props::of(space, context.ordinal).make()) }
    }

    /// Creates a pool of device memory that other processes can import.
    ///
    /// # Safety
    /// 1. The context is live.
    pub(super) unsafe fn create_exportable(&self, context: &ContextRef) -> DriverResult<u64> {
        if !exports_pools(context.ordinal)? {
            let message = format!("pools of device {} cannot be exported as file descriptors", context.ordinal);
            return Err(unsupported("cuMemPoolCreate", message));
        }
        let props = Props::exportable(context.ordinal);
        let make = || {
            let pool = props.make()?;
            // A pointer is exported (`cuMemPoolExportPointer`) only once its pool has been: else the call fails. Measured
            // with driver 580; that the descriptor is closed again makes no difference.
            // SAFETY: (1) just made, and exportable.
            #[cfg(unix)]
            if let Err(error) = unsafe { super::processes::export_pool(pool) } {
                // SAFETY: the pool has not left here, and nothing was allocated from it.
                let _ = unsafe { cuda!(cuMemPoolDestroy(pool)) };
                return Err(error);
            }
            Ok(pool)
        };
        // SAFETY: (1); `make` is calls in that context.
        unsafe { self.enlist(context, Space::DeviceMemory, make) }
    }

    /// Opens a pool of another process.
    ///
    /// Whom that process lets into its pool is nothing to this one. "Imported memory pools are initially only accessible
    /// from their resident device" (programming guide, stream-ordered memory allocator): the peers are let in here.
    ///
    /// # Safety
    /// 1. The context is live.
    #[cfg(unix)]
    pub(super) unsafe fn import(&self, context: &ContextRef, descriptor: BorrowedFd<'_>) -> DriverResult<u64> {
        let import = || {
            let mut pool: CUmemoryPool = ptr::null_mut();
            // The handle is the descriptor itself, in place of an address.
            let handle = ptr::without_provenance_mut(descriptor.as_raw_fd() as usize);
            // SAFETY: `pool` outlives the call, and the descriptor is open. The driver refuses one that is no pool's.
            unsafe { cuda!(cuMemPoolImportFromShareableHandle(&mut pool, handle, FILE_DESCRIPTOR, 0)) }?;
            Ok(pool)
        };
        // SAFETY: (1); `import` is one call.
        unsafe { self.enlist(context, Space::DeviceMemory, import) }
    }

    /// Makes a pool and puts it on the list, once everyone that may address the device's memory is let in.
    ///
    /// # Safety
    /// 1. The context is live.
    /// 2. `make` runs with `context` current, and returns without unwinding.
    unsafe fn enlist(
        &self,
        context: &ContextRef,
        space: Space,
        make: impl FnOnce() -> DriverResult<CUmemoryPool>,
    ) -> DriverResult<u64> {
        let mut all = self.lock();
        let reach = all.entry(context.ordinal).or_default();
        let calls = || {
            let pool = make()?;
            // Pinned memory in a pool is the host's alone at first.
            let own = (space == Space::PinnedMemory).then_some(context.ordinal);
            let others = reach.devices.iter().copied().filter(|_| space != Space::ManagedMemory);
            for ordinal in own.into_iter().chain(others) {
                // SAFETY: a live pool.
                if let Err(error) = unsafe { let_in(pool, ordinal) } {
                    // The first error is what the caller wants to hear of.
                    // SAFETY: the pool has not left here, and nothing was allocated from it.
                    let _ = unsafe { cuda!(cuMemPoolDestroy(pool)) };
                    return Err(error);
                }
            }
            Ok(pool as u64)
        };
        // SAFETY: the context is live (1); the closure neither unwinds (2) nor changes what is current.
        let pool = unsafe { within(context, calls) }?;
        if space != Space::ManagedMemory {
            reach.pools.insert(pool);
        }
        Ok(pool)
    }

    /// Destroys a pool.
    ///
    /// # Safety
    /// 1. The pool is live, and so is its context. Nothing allocated from it is in use.
    pub(super) unsafe fn destroy(&self, pool: &PoolRef) -> DriverResult {
        // Locked until the pool is off the list: its handle may come back with the next one.
        let mut all = self.lock();
        // SAFETY: (1).
        unsafe { within(&pool.context, || cuda!(cuMemPoolDestroy(pool.handle as CUmemoryPool))) }?;
        if let Some(reach) = all.get_mut(&pool.context.ordinal) {
            reach.pools.remove(&pool.handle);
        }
        Ok(())
    }

    /// Runs `enable`, then lets the device of `context` into the pools of `peer`'s: the default one, the current one, and
    /// every one that was created here or will be. Does nothing the second time.
    ///
    /// # Safety
    /// 1. Both contexts are live.
    /// 2. `enable` runs with `context` current, and returns without unwinding.
    pub(super) unsafe fn let_into_all(
        &self,
        context: &ContextRef,
        peer: &ContextRef,
        enable: impl FnOnce() -> DriverResult,
    ) -> DriverResult {
        let mut all = self.lock();
        let reach = all.entry(peer.ordinal).or_default();
        if reach.devices.contains(&context.ordinal) {
            return Ok(());
        }
        let calls = || {
            enable()?;
            let device = device(peer.ordinal)?;
            let (mut default, mut current): (CUmemoryPool, CUmemoryPool) = (ptr::null_mut(), ptr::null_mut());
            // SAFETY: the results outlive the calls; the device comes from `cuDeviceGet`.
            unsafe {
                cuda!(cuDeviceGetDefaultMemPool(&mut default, device))?;
                cuda!(cuDeviceGetMemPool(&mut current, device))?;
            }
            let mut pools = reach.pools.clone();
            pools.extend([default as u64, current as u64]);
            for pool in pools {
                // SAFETY: a live pool: of the device, or of the list, which no pool stays on beyond its end.
                unsafe { let_in(pool as CUmemoryPool, context.ordinal) }?;
            }
            Ok(())
        };
        // SAFETY: the context is live (1); the closure neither unwinds (2) nor changes what is current.
        unsafe { within(context, calls) }?;
        reach.devices.insert(context.ordinal);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u32, Reach>> {
        self.reach.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads an attribute of a pool.
///
/// # Safety
/// 1. The pool is live.
pub(super) unsafe fn read(pool: CUmemoryPool, asked: PoolAttribute) -> DriverResult<u64> {
    let (attribute, width) = named(asked)?;
    let (mut narrow, mut wide) = (0i32, 0u64);
    let value = match width {
        Width::Flag => (&raw mut narrow).cast(),
        Width::Bytes => (&raw mut wide).cast(),
    };
    // SAFETY: the value is as wide as the attribute, and outlives the call; the pool is live (1).
    unsafe { cuda!(cuMemPoolGetAttribute(pool, attribute, value)) }?;
    Ok(match width {
        Width::Flag => u64::from(narrow != 0),
        Width::Bytes => wide,
    })
}

/// Sets an attribute of a pool.
///
/// # Safety
/// 1. The pool is live.
pub(super) unsafe fn set(pool: CUmemoryPool, asked: PoolAttribute, value: u64) -> DriverResult {
    let (attribute, width) = named(asked)?;
    let (mut narrow, mut wide) = (i32::from(value != 0), value);
    let value = match width {
        Width::Flag => (&raw mut narrow).cast(),
        Width::Bytes => (&raw mut wide).cast(),
    };
    // SAFETY: as in `read`. What cannot be set, the driver refuses.
    unsafe { cuda!(cuMemPoolSetAttribute(pool, attribute, value)) }
}

/// What the driver reads and writes for an attribute: an `int`, or a `cuuint64_t`.
#[derive(Clone, Copy)]
enum Width {
    Flag,
    Bytes,
}

fn named(attribute: PoolAttribute) -> DriverResult<(CUmemPool_attribute, Width)> {
    use CUmemPool_attribute::*;
    Ok(match attribute {
        PoolAttribute::ReleaseThreshold => (CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, Width::Bytes),
        PoolAttribute::ReuseFollowEvents => (CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, Width::Flag),
        PoolAttribute::ReuseOpportunistic => (CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, Width::Flag),
        PoolAttribute::ReuseInternalDependencies => (CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, Width::Flag),
        PoolAttribute::ReservedBytes => (CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, Width::Bytes),
        PoolAttribute::ReservedHigh => (CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, Width::Bytes),
        PoolAttribute::UsedBytes => (CU_MEMPOOL_ATTR_USED_MEM_CURRENT, Width::Bytes),
        PoolAttribute::UsedHigh => (CU_MEMPOOL_ATTR_USED_MEM_HIGH, Width::Bytes),
        other => return Err(unsupported("cuMemPoolGetAttribute", format!("pools have no attribute {other:?} here"))),
    })
}

/// Lets a device read and write the memory of a pool.
///
/// # Safety
/// 1. The pool is live.
unsafe fn let_in(pool: CUmemoryPool, ordinal: u32) -> DriverResult {
    let type_ = CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    let access = CUmemAccessDesc {
        location: CUmemLocation { type_, id: in_props(ordinal) },
        flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    // SAFETY: one description is given, and outlives the call; the pool is live (1).
    unsafe { cuda!(cuMemPoolSetAccess(pool, &access, 1)) }
}

/// An error where the device has no pools of that space.
fn require(ordinal: u32, space: Space) -> DriverResult {
    let (asked, what) = match space {
        // Opening a context requires it.
        Space::DeviceMemory => return Ok(()),
        Space::PinnedMemory => (DeviceAttribute::PinnedPools, "pinned"),
        Space::ManagedMemory => (DeviceAttribute::ManagedPools, "managed"),
    };
    if attribute(ordinal, asked)? != 0 {
        return Ok(());
    }
    Err(unsupported("cuMemPoolCreate", format!("device {ordinal}, or its driver, has no pools of {what} memory")))
}

fn unsupported(call: &'static str, message: String) -> DriverError {
    DriverError { call, kind: ErrorKind::NotSupported, code: 0, message: message.into() }
}
