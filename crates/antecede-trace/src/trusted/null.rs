//! A driver that does nothing.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use antecede::driver::{
    ContextId, ContextRef, DevicePtr, Driver, DriverError, DriverId, DriverResult, ErrorKind, EventId, EventRef,
    Launch, LoadedModule, ModuleDecl, ModuleRef, Pattern, StreamId, StreamKind, StreamRef,
};

/// The alignment of every block (the contract's promise 4).
const ALIGN: u64 = 256;

/// Where device addresses begin: beyond what any process can map, so that they never meet pinned memory.
const FIRST_DEVICE_ADDRESS: u64 = 1 << 60;

/// A driver that does nothing at all: no kernel runs, nothing is copied or filled, and every wait is over at once.
///
/// It serves tests of what calls are made, and benchmarks of what the library itself costs. Handles are unique, device
/// addresses are counted up and never used again, and device memory does not exist. Pinned memory is the exception: it
/// is real host memory, zeroed, since safe code reads and writes it.
#[derive(Debug)]
pub struct NullDriver {
    id: DriverId,
    contexts: Vec<ContextRef>,
    next_handle: AtomicU64,
    next_address: AtomicU64,
    pinned: Mutex<HashMap<DevicePtr, Layout>>,
}

impl NullDriver {
    /// A driver with one device.
    pub fn new() -> Self {
        NullDriver::with_devices(1)
    }

    /// A driver with that many devices.
    pub fn with_devices(count: u32) -> Self {
        let context = |ordinal| ContextRef { id: ContextId::fresh(), ordinal, handle: u64::from(ordinal) + 1 };
        NullDriver {
            id: DriverId::fresh(),
            contexts: (0..count).map(context).collect(),
            next_handle: AtomicU64::new(0x1000),
            next_address: AtomicU64::new(FIRST_DEVICE_ADDRESS),
            pinned: Mutex::default(),
        }
    }

    fn handle(&self) -> u64 {
        self.next_handle.fetch_add(1, Ordering::Relaxed)
    }

    fn pinned(&self) -> MutexGuard<'_, HashMap<DevicePtr, Layout>> {
        self.pinned.lock().unwrap_or_else(PoisonError::into_inner)
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

// SAFETY: 1 to 3, 5. No operation ever takes effect, so none is out of order or touches anything, and the host sees
// nothing that it could rely on: memory that it can read is pinned memory, of which it finds what it last wrote.
// 4. Device addresses are counted up, aligned, and lie beyond any mapped memory; pinned memory is the allocator's.
// 6. No method panics. 7. No thread has a current context. 8. An error is returned before anything is done.
// 9. The ids are issued with the driver, one for each device. 10. No module is run. 11. Nothing waits.
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
        Ok(())
    }

    unsafe fn stream_create(
        &self,
        _: &ContextRef,
        _: StreamId,
        _: StreamKind,
        _: i32,
        _: &'static str,
    ) -> DriverResult<u64> {
        Ok(self.handle())
    }

    unsafe fn stream_destroy(&self, _: &StreamRef) -> DriverResult {
        Ok(())
    }

    unsafe fn stream_sync(&self, _: &StreamRef) -> DriverResult {
        Ok(())
    }

    unsafe fn stream_query(&self, _: &StreamRef) -> DriverResult<bool> {
        Ok(true)
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
        Ok(())
    }

    unsafe fn event_query(&self, _: &EventRef) -> DriverResult<bool> {
        Ok(true)
    }

    unsafe fn alloc_async(&self, _: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        let next = |address: u64| address.checked_add((bytes as u64).checked_next_multiple_of(ALIGN)?);
        let address = self.next_address.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        address.map(DevicePtr).map_err(|_| out_of_memory("cuMemAllocAsync"))
    }

    unsafe fn free_async(&self, _: &StreamRef, _: DevicePtr) -> DriverResult {
        Ok(())
    }

    unsafe fn pinned_alloc(&self, _: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        const CALL: &str = "cuMemHostAlloc";
        if bytes == 0 {
            return Err(error(CALL, ErrorKind::InvalidValue, 1, "no bytes asked for"));
        }
        let layout = Layout::from_size_align(bytes, ALIGN as usize).map_err(|_| out_of_memory(CALL))?;
        // SAFETY: the layout's size is not zero.
        let block = unsafe { alloc_zeroed(layout) };
        if block.is_null() {
            return Err(out_of_memory(CALL));
        }
        let ptr = DevicePtr(block.expose_provenance() as u64);
        self.pinned().insert(ptr, layout);
        Ok(ptr)
    }

    unsafe fn pinned_free(&self, _: &ContextRef, ptr: DevicePtr) -> DriverResult {
        let Some(layout) = self.pinned().remove(&ptr) else {
            return Err(error("cuMemFreeHost", ErrorKind::InvalidValue, 1, "not allocated by `cuMemHostAlloc`"));
        };
        // SAFETY: the address was in the table, so `alloc_zeroed` returned it for this layout, and it is freed once.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(ptr.0 as usize), layout) };
        Ok(())
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
}

fn out_of_memory(call: &'static str) -> DriverError {
    error(call, ErrorKind::OutOfMemory, 2, "out of memory")
}

fn error(call: &'static str, kind: ErrorKind, code: i32, message: &str) -> DriverError {
    DriverError { call, kind, code, message: message.into() }
}
