//! A driver that does nothing.

use std::collections::HashMap;
#[cfg(unix)]
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use antecede::driver::{
    Access, ContextId, ContextRef, DeviceAttribute, DevicePtr, DeviceUuid, Driver, DriverError, DriverId, DriverResult,
    ErrorKind, EventData, EventId, EventRef, HostFn, Launch, LoadedModule, ModuleDecl, ModuleRef, Pattern, PointerData,
    PoolAttribute, PoolRef, Space, StreamId, StreamKind, StreamRef,
};

use super::backlog::Backlog;
use super::host_memory::{HostMemory, Source};
use super::pool_memory::{FIRST_POOL_ADDRESS, PoolMemory, export_event, require_event};

/// The alignment of every block (the contract's promise 4).
pub(super) const ALIGN: u64 = 256;

/// Where device addresses begin: beyond what any process can map, so that they never meet host memory.
const FIRST_DEVICE_ADDRESS: u64 = 1 << 60;

/// The handle of every device's default pool.
const DEFAULT_POOL: u64 = 1;

/// `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD`: the same in every context.
const LEGACY: u64 = 1;
const PER_THREAD: u64 = 2;

/// A driver that does nothing: no kernel runs, nothing is copied or filled, and every wait is over at once.
///
/// It serves tests of what calls are made, and benchmarks of what the library itself costs. Handles are unique, device
/// addresses are counted up and never used again, and device memory does not exist. What is exported can be imported by
/// such a driver in any process; there, too, no memory is behind it, and waits for its events are over at once.
///
/// Two things are real, since safe code has part in them. Pinned and managed memory, from a pool too, is host memory,
/// zeroed. Host functions are called, on a thread of the driver's, one after the other in the order in which they were
/// submitted to any stream; every sync waits for those submitted before it, and a query answers `true` when none is
/// left, whichever streams they are on.
#[derive(Debug)]
pub struct NullDriver {
    id: DriverId,
    contexts: Vec<ContextRef>,
    next_handle: AtomicU64,
    next_address: AtomicU64,
    host: HostMemory,
    pooled: PoolMemory,
    host_fns: Backlog,
    /// Streams that can be adopted.
    streams: Mutex<HashMap<u64, (ContextId, StreamKind)>>,
    /// What pools were told.
    told: Mutex<HashMap<(u64, PoolAttribute), u64>>,
}

impl NullDriver {
    /// A driver with one device.
    pub fn new() -> Self {
        NullDriver::with_devices(1)
    }

    /// A driver with that many devices.
    pub fn with_devices(count: u32) -> Self {
        let context = |ordinal| ContextRef {
            id: ContextId::fresh(),
            ordinal,
            handle: u64::from(ordinal) + 1,
            legacy: StreamId::fresh(),
        };
        NullDriver {
            id: DriverId::fresh(),
            contexts: (0..count).map(context).collect(),
            next_handle: AtomicU64::new(0x1000),
            next_address: AtomicU64::new(FIRST_DEVICE_ADDRESS),
            host: HostMemory::default(),
            pooled: PoolMemory::default(),
            host_fns: Backlog::default(),
            streams: Mutex::default(),
            told: Mutex::default(),
        }
    }

    fn handle(&self) -> u64 {
        self.next_handle.fetch_add(1, Ordering::Relaxed)
    }

    fn device_memory(&self, call: &'static str, bytes: usize) -> DriverResult<DevicePtr> {
        let end = |address: u64| address.checked_add((bytes as u64).checked_next_multiple_of(ALIGN)?);
        let next = |address| end(address).filter(|&end| end <= FIRST_POOL_ADDRESS);
        let address = self.next_address.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        address.map(DevicePtr).map_err(|_| out_of_memory(call))
    }
}

impl Default for NullDriver {
    fn default() -> Self {
        NullDriver::new()
    }
}

impl From<NullDriver> for Arc<dyn Driver> {
    fn from(driver: NullDriver) -> Self {
        Arc::new(driver)
    }
}

// SAFETY: 1 to 3, 5, 11, 12. Host functions are called once, in the order of their submission to any stream, and waits
// and queries speak of all of them: that order holds every edge of streams, events and the legacy stream. No other
// operation ever takes effect, so none is out of order or touches anything. Waits hold no lock.
// 4. Device addresses are counted up, aligned, and lie beyond any mapped memory; other memory is the allocator's, and is
// given back to it when every host function that was submitted before the free has returned.
// 6. No method panics. 7. No thread has a current context. 8. An error is returned before anything is done.
// 9. The ids are issued with the driver, one for each device. 10. No module is run.
// 13. Only syncs wait, holding no lock.
// 14. There is no device memory, so what is imported shares its bytes with what was exported: none. Nothing that another
//     process submits to such a driver can touch what this process has, with or without a wait.
unsafe impl Driver for NullDriver {
    fn id(&self) -> DriverId {
        self.id
    }

    fn name(&self) -> &'static str {
        "null"
    }

    fn device_count(&self) -> DriverResult<u32> {
        Ok(self.contexts.len() as u32)
    }

    unsafe fn context_open(&self, ordinal: u32) -> DriverResult<ContextRef> {
        let found = self.contexts.get(ordinal as usize);
        found.copied().ok_or_else(|| error("cuDevicePrimaryCtxRetain", ErrorKind::NoDevice, 100, "no such device"))
    }

    unsafe fn context_close(&self, _: &ContextRef) -> DriverResult {
        Ok(())
    }

    unsafe fn context_sync(&self, _: &ContextRef) -> DriverResult {
        self.host_fns.wait();
        Ok(())
    }

    unsafe fn stream_create(
        &self,
        context: &ContextRef,
        _: StreamId,
        kind: StreamKind,
        _: i32,
        _: &'static str,
    ) -> DriverResult<u64> {
        Ok(match kind {
            StreamKind::LegacyStream => LEGACY,
            StreamKind::PerThreadStream => PER_THREAD,
            _ => {
                let handle = self.handle();
                lock(&self.streams).insert(handle, (context.id, kind));
                handle
            }
        })
    }

    unsafe fn stream_destroy(&self, stream: &StreamRef) -> DriverResult {
        lock(&self.streams).remove(&stream.handle);
        Ok(())
    }

    unsafe fn stream_sync(&self, _: &StreamRef) -> DriverResult {
        self.host_fns.wait();
        Ok(())
    }

    unsafe fn stream_query(&self, _: &StreamRef) -> DriverResult<bool> {
        Ok(self.host_fns.is_done())
    }

    unsafe fn event_create(&self, _: &ContextRef, _: EventId) -> DriverResult<u64> {
        Ok(self.handle())
    }

    unsafe fn event_destroy(&self, _: &EventRef) -> DriverResult {
        Ok(())
    }

    unsafe fn event_record(&self, _: &EventRef, _: &StreamRef) -> DriverResult {
        Ok(())
    }

    unsafe fn event_wait(&self, _: &StreamRef, _: &EventRef) -> DriverResult {
        Ok(())
    }

    unsafe fn event_sync(&self, _: &EventRef) -> DriverResult {
        self.host_fns.wait();
        Ok(())
    }

    unsafe fn event_query(&self, _: &EventRef) -> DriverResult<bool> {
        Ok(self.host_fns.is_done())
    }

    unsafe fn alloc_async(&self, _: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        self.device_memory("cuMemAllocAsync", bytes)
    }

    unsafe fn free_async(&self, _: &StreamRef, ptr: DevicePtr) -> DriverResult {
        if ptr.0 >= FIRST_POOL_ADDRESS {
            self.pooled.free(ptr);
        } else if ptr.0 < FIRST_DEVICE_ADDRESS {
            self.host_fns.free(self.host.take("cuMemFreeAsync", Source::Pool, ptr)?);
        }
        Ok(())
    }

    unsafe fn pinned_alloc(&self, _: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        self.host.alloc("cuMemHostAlloc", Source::Pinned, bytes)
    }

    unsafe fn pinned_free(&self, _: &ContextRef, ptr: DevicePtr) -> DriverResult {
        self.host.take("cuMemFreeHost", Source::Pinned, ptr).map(drop)
    }

    unsafe fn fill_async(&self, _: &StreamRef, _: DevicePtr, _: Pattern, _: usize) -> DriverResult {
        Ok(())
    }

    unsafe fn copy_async(&self, _: &StreamRef, _: DevicePtr, _: DevicePtr, _: usize) -> DriverResult {
        Ok(())
    }

    unsafe fn module_load(&self, _: &ContextRef, decl: &'static ModuleDecl) -> DriverResult<LoadedModule> {
        Ok(LoadedModule { handle: self.handle(), functions: decl.kernels.iter().map(|_| self.handle()).collect() })
    }

    unsafe fn module_unload(&self, _: &ModuleRef) -> DriverResult {
        Ok(())
    }

    unsafe fn launch(&self, _: &StreamRef, _: &Launch<'_>) -> DriverResult {
        Ok(())
    }

    unsafe fn stream_adopt(&self, context: &ContextRef, handle: u64, _: StreamId) -> DriverResult<StreamKind> {
        const CALL: &str = "cuStreamGetFlags";
        match (handle, lock(&self.streams).get(&handle)) {
            (LEGACY, _) => Ok(StreamKind::LegacyStream),
            (PER_THREAD, _) => Ok(StreamKind::PerThreadStream),
            (_, Some((of, kind))) if *of == context.id => Ok(*kind),
            (_, Some(_)) => Err(error(CALL, ErrorKind::InvalidContext, 201, "a stream of another context")),
            (_, None) => Err(error(CALL, ErrorKind::InvalidHandle, 400, "no such stream")),
        }
    }

    unsafe fn stream_is_capturing(&self, _: &StreamRef) -> DriverResult<bool> {
        Ok(false)
    }

    unsafe fn priority_range(&self, _: &ContextRef) -> DriverResult<(i32, i32)> {
        Ok((0, -5))
    }

    unsafe fn host_fn(&self, _: &StreamRef, function: HostFn, _: &[Access]) -> DriverResult {
        let no_thread = |reason: std::io::Error| {
            error("cuLaunchHostFunc", ErrorKind::OutOfMemory, 2, &format!("not called, as no thread starts: {reason}"))
        };
        self.host_fns.call(function).map_err(no_thread)
    }

    unsafe fn attribute(&self, _: &ContextRef, attribute: DeviceAttribute) -> DriverResult<i32> {
        match attribute {
            DeviceAttribute::ConcurrentManagedAccess | DeviceAttribute::PinnedPools | DeviceAttribute::ManagedPools => {
                Ok(1)
            }
            _ => Err(error("cuDeviceGetAttribute", ErrorKind::NotSupported, 801, "no such attribute")),
        }
    }

    unsafe fn managed_alloc(&self, _: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        self.host.alloc("cuMemAllocManaged", Source::Managed, bytes)
    }

    unsafe fn managed_free(&self, _: &ContextRef, ptr: DevicePtr) -> DriverResult {
        self.host.take("cuMemFree", Source::Managed, ptr).map(drop)
    }

    unsafe fn pool_create(&self, _: &ContextRef, _: Space) -> DriverResult<u64> {
        Ok(self.handle())
    }

    unsafe fn pool_destroy(&self, pool: &PoolRef) -> DriverResult {
        lock(&self.told).retain(|(handle, _), _| *handle != pool.handle);
        Ok(())
    }

    unsafe fn pool_trim(&self, _: &PoolRef, _: usize) -> DriverResult {
        Ok(())
    }

    /// What the pool was told; elsewhere what a fresh pool of CUDA has. No pool holds any bytes.
    unsafe fn pool_attribute(&self, pool: &PoolRef, attribute: PoolAttribute) -> DriverResult<u64> {
        let unchanged = match attribute {
            PoolAttribute::ReuseFollowEvents
            | PoolAttribute::ReuseOpportunistic
            | PoolAttribute::ReuseInternalDependencies => 1,
            _ => 0,
        };
        Ok(lock(&self.told).get(&(pool.handle, attribute)).copied().unwrap_or(unchanged))
    }

    unsafe fn pool_set(&self, pool: &PoolRef, attribute: PoolAttribute, value: u64) -> DriverResult {
        lock(&self.told).insert((pool.handle, attribute), value);
        Ok(())
    }

    unsafe fn pool_alloc_async(&self, _: &StreamRef, pool: &PoolRef, bytes: usize) -> DriverResult<DevicePtr> {
        const CALL: &str = "cuMemAllocFromPoolAsync";
        match pool.space {
            Space::DeviceMemory => self.pooled.alloc(CALL, pool.handle, bytes),
            Space::PinnedMemory | Space::ManagedMemory => self.host.alloc(CALL, Source::Pool, bytes),
        }
    }

    unsafe fn peer_possible(&self, context: &ContextRef, peer: &ContextRef) -> DriverResult<bool> {
        Ok(context.id != peer.id)
    }

    unsafe fn peer_enable(&self, _: &ContextRef, _: &ContextRef) -> DriverResult {
        Ok(())
    }

    unsafe fn peer_copy_async(
        &self,
        _: &StreamRef,
        _: (&ContextRef, DevicePtr),
        _: (&ContextRef, DevicePtr),
        _: usize,
    ) -> DriverResult {
        Ok(())
    }

    unsafe fn device_uuid(&self, context: &ContextRef) -> DriverResult<DeviceUuid> {
        Ok(DeviceUuid((u128::from_be_bytes(*b"null device\0\0\0\0\0") + u128::from(context.ordinal)).to_be_bytes()))
    }

    unsafe fn exportable_pool_create(&self, _: &ContextRef) -> DriverResult<u64> {
        Ok(self.handle())
    }

    /// A descriptor that holds nothing: what is imported says all itself.
    #[cfg(unix)]
    unsafe fn pool_export(&self, _: &PoolRef) -> DriverResult<OwnedFd> {
        let no_file = |reason: std::io::Error| {
            error("cuMemPoolExportToShareableHandle", ErrorKind::Other, 999, &format!("no descriptor: {reason}"))
        };
        std::fs::File::open("/dev/null").map(OwnedFd::from).map_err(no_file)
    }

    #[cfg(unix)]
    unsafe fn pool_import(&self, _: &ContextRef, _: BorrowedFd<'_>) -> DriverResult<u64> {
        Ok(self.handle())
    }

    unsafe fn pool_of(&self, _: &ContextRef, ptr: DevicePtr) -> DriverResult<u64> {
        Ok(self.pooled.block(ptr).map_or(DEFAULT_POOL, |block| block.pool))
    }

    unsafe fn allocation_bytes(&self, _: &ContextRef, ptr: DevicePtr) -> DriverResult<usize> {
        let unknown = || error("cuMemGetAddressRange", ErrorKind::NotSupported, 801, "only blocks of pools are noted");
        self.pooled.block(ptr).map(|block| block.bytes).ok_or_else(unknown)
    }

    unsafe fn pointer_export(&self, _: &ContextRef, ptr: DevicePtr) -> DriverResult<PointerData> {
        self.pooled.export(ptr)
    }

    unsafe fn pointer_import(&self, pool: &PoolRef, data: &PointerData) -> DriverResult<DevicePtr> {
        self.pooled.import(pool.handle, data)
    }

    unsafe fn interprocess_event_create(&self, _: &ContextRef, _: EventId) -> DriverResult<u64> {
        Ok(self.handle())
    }

    unsafe fn event_export(&self, event: &EventRef) -> DriverResult<EventData> {
        Ok(export_event(event.handle))
    }

    unsafe fn event_import(&self, _: &ContextRef, _: EventId, data: &EventData) -> DriverResult<u64> {
        require_event(data)?;
        Ok(self.handle())
    }
}

fn lock<T>(table: &Mutex<T>) -> MutexGuard<'_, T> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn out_of_memory(call: &'static str) -> DriverError {
    error(call, ErrorKind::OutOfMemory, 2, "out of memory")
}

pub(super) fn error(call: &'static str, kind: ErrorKind, code: i32, message: &str) -> DriverError {
    DriverError { call, kind, code, message: message.into() }
}
