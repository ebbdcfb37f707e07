//! A driver with streams on it, called as the library calls it.

use std::sync::Arc;

use antecede::driver::{
    Access, ContextRef, DevicePtr, Driver, DriverResult, EventId, EventRef, HostFn, KernelDecl, Launch, LoadedModule,
    ModuleDecl, ParamDecl, ParamKind, Pattern, PoolRef, Space, StreamId, StreamKind, StreamRef, TwinArgs,
};

pub(crate) struct Bench {
    pub(crate) driver: Arc<dyn Driver>,
    pub(crate) context: ContextRef,
}

pub(crate) static MODULE: ModuleDecl = ModuleDecl {
    name: "Math",
    ptx: None,
    kernels: &[KernelDecl {
        name: "add",
        entry: "add",
        params: &[
            ParamDecl { name: "x", kind: ParamKind::Read { element: 4 } },
            ParamDecl { name: "y", kind: ParamKind::Write { element: 4 } },
        ],
        twin: never_run,
    }],
};

unsafe fn never_run(_: &TwinArgs<'_>) {}

// The one obligation that matters over a driver that does nothing is that handles come from it, and they do: SAFETY
// comments below say "a handle of this driver" for the whole contract.
impl Bench {
    pub(crate) fn new(driver: impl Into<Arc<dyn Driver>>) -> Self {
        Bench::on(driver, 0)
    }

    pub(crate) fn on(driver: impl Into<Arc<dyn Driver>>, ordinal: u32) -> Self {
        let driver = driver.into();
        // SAFETY: the driver refuses a device that it lacks.
        let context = unsafe { driver.context_open(ordinal) }.expect("the device opens");
        Bench { driver, context }
    }

    pub(crate) fn stream(&self, name: &'static str) -> StreamRef {
        self.stream_of(StreamKind::NonBlockingStream, name)
    }

    pub(crate) fn stream_of(&self, kind: StreamKind, name: &'static str) -> StreamRef {
        let context = self.context;
        let id = if kind == StreamKind::LegacyStream { context.legacy } else { StreamId::fresh() };
        // SAFETY: a handle of this driver.
        let handle = unsafe { self.driver.stream_create(&context, id, kind, 0, name) }.expect("a stream");
        StreamRef { id, context, handle, kind }
    }

    pub(crate) fn event(&self) -> EventRef {
        let (id, context) = (EventId::fresh(), self.context);
        // SAFETY: a handle of this driver.
        let handle = unsafe { self.driver.event_create(&context, id) }.expect("an event");
        EventRef { id, context, handle }
    }

    pub(crate) fn alloc(&self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: a handle of this driver.
        unsafe { self.driver.alloc_async(stream, bytes) }
    }

    pub(crate) fn free(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: a handle of this driver; device memory of a driver that does nothing does not exist.
        unsafe { self.driver.free_async(stream, ptr) }
    }

    pub(crate) fn pinned_alloc(&self, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: a handle of this driver.
        unsafe { self.driver.pinned_alloc(&self.context, bytes) }
    }

    pub(crate) fn pinned_free(&self, ptr: DevicePtr) -> DriverResult {
        // SAFETY: a handle of this driver, which keeps the addresses that it gave out and refuses others.
        unsafe { self.driver.pinned_free(&self.context, ptr) }
    }

    pub(crate) fn fill(&self, stream: &StreamRef, dst: DevicePtr, words: usize) -> DriverResult {
        // SAFETY: a handle of this driver; nothing is written.
        unsafe { self.driver.fill_async(stream, dst, Pattern::D32(7), words) }
    }

    pub(crate) fn copy(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        // SAFETY: a handle of this driver; nothing is copied.
        unsafe { self.driver.copy_async(stream, dst, src, bytes) }
    }

    pub(crate) fn load(&self) -> LoadedModule {
        // SAFETY: a handle of this driver; nothing is run.
        unsafe { self.driver.module_load(&self.context, &MODULE) }.expect("a module")
    }

    pub(crate) fn launch(&self, stream: &StreamRef, function: u64, x: Access, y: Access) -> DriverResult {
        let addresses = [x.ptr.0, y.ptr.0];
        let params = [(&raw const addresses[0]).cast(), (&raw const addresses[1]).cast()];
        let decl = &MODULE.kernels[0];
        let launch =
            Launch { function, decl, grid: [1; 3], block: [1; 3], shared_bytes: 0, params: &params, accesses: &[x, y] };
        // SAFETY: a handle of this driver; nothing is run.
        unsafe { self.driver.launch(stream, &launch) }
    }

    pub(crate) fn record(&self, event: &EventRef, stream: &StreamRef) -> DriverResult {
        // SAFETY: a handle of this driver.
        unsafe { self.driver.event_record(event, stream) }
    }

    pub(crate) fn wait(&self, stream: &StreamRef, event: &EventRef) -> DriverResult {
        // SAFETY: a handle of this driver.
        unsafe { self.driver.event_wait(stream, event) }
    }

    pub(crate) fn sync(&self, stream: &StreamRef) -> DriverResult {
        // SAFETY: a handle of this driver.
        unsafe { self.driver.stream_sync(stream) }
    }

    pub(crate) fn managed_alloc(&self, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: a handle of this driver.
        unsafe { self.driver.managed_alloc(&self.context, bytes) }
    }

    pub(crate) fn managed_free(&self, ptr: DevicePtr) -> DriverResult {
        // SAFETY: a handle of this driver, which keeps the addresses that it gave out and refuses others.
        unsafe { self.driver.managed_free(&self.context, ptr) }
    }

    pub(crate) fn pool(&self, space: Space) -> PoolRef {
        // SAFETY: a handle of this driver.
        let handle = unsafe { self.driver.pool_create(&self.context, space) }.expect("a pool");
        PoolRef { context: self.context, space, handle }
    }

    pub(crate) fn pool_alloc(&self, stream: &StreamRef, pool: &PoolRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: handles of this driver.
        unsafe { self.driver.pool_alloc_async(stream, pool, bytes) }
    }

    pub(crate) fn peer_copy(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        // SAFETY: a handle of this driver; nothing is copied.
        unsafe { self.driver.peer_copy_async(stream, (&self.context, dst), (&self.context, src), bytes) }
    }

    /// A host function that does nothing, with the accesses that it is said to make.
    pub(crate) fn host_fn(&self, stream: &StreamRef, accesses: &[Access]) -> DriverResult {
        unsafe extern "C" fn nothing(_: *mut std::ffi::c_void) {}
        let function = HostFn { call: nothing, data: std::ptr::null_mut() };
        // SAFETY: a handle of this driver; the function touches nothing.
        unsafe { self.driver.host_fn(stream, function, accesses) }
    }
}
