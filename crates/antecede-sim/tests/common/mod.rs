//! A thin, checked-by-the-reader layer over the unsafe driver, so that the tests below it read as sequences of calls.
#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(unreachable_pub, reason = "a module of several test binaries")]
#![expect(unsafe_code, reason = "the tests call the driver itself; some break its contract on purpose, on one thread")]

pub mod kernels;

use std::ffi::c_void;
#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};

use antecede::driver::{
    Access, ContextRef, DeviceAttribute, DevicePtr, DeviceUuid, Driver, DriverResult, EventData, EventId, EventRef,
    HostFn, KernelDecl, Launch, LoadedModule, ModuleDecl, ModuleRef, Pattern, PointerData, PoolAttribute, PoolRef,
    Space, StreamId, StreamKind, StreamRef,
};
use antecede_sim::{Builder, Order, Sim};

/// A simulator with the context of one device.
#[derive(Debug)]
pub struct Rig {
    pub sim: Sim,
    pub context: ContextRef,
}

pub fn open(sim: &Sim, ordinal: u32) -> DriverResult<ContextRef> {
    // SAFETY: no handle is passed.
    unsafe { sim.context_open(ordinal) }
}

/// A loaded module.
#[derive(Debug)]
pub struct Module {
    pub module: ModuleRef,
    pub functions: Vec<u64>,
    pub decl: &'static ModuleDecl,
}

/// One parameter of a launch.
#[derive(Clone, Copy, Debug)]
pub enum Param {
    U32(u32),
    Read(DevicePtr, usize),
    Write(DevicePtr, usize),
    /// Passes the first address and claims to write at the second.
    WriteElsewhere(DevicePtr, DevicePtr, usize),
}

impl Rig {
    pub fn seeded(seed: u64) -> Self {
        Self::of(Sim::builder().seed(seed))
    }

    pub fn ordered(seed: u64, order: Order) -> Self {
        Self::of(Sim::builder().seed(seed).mode(order))
    }

    pub fn of(builder: Builder) -> Self {
        Self::on(builder.build(), 0)
    }

    pub fn on(sim: Sim, ordinal: u32) -> Self {
        let context = open(&sim, ordinal).unwrap();
        Rig { sim, context }
    }

    pub fn stream(&self) -> StreamRef {
        self.try_stream().unwrap()
    }

    pub fn try_stream(&self) -> DriverResult<StreamRef> {
        self.create(StreamId::fresh(), StreamKind::NonBlockingStream, 0)
    }

    /// A stream of that kind; the built-in ones among them.
    pub fn stream_of(&self, kind: StreamKind) -> StreamRef {
        let id = if kind == StreamKind::LegacyStream { self.context.legacy } else { StreamId::fresh() };
        self.create(id, kind, 0).unwrap()
    }

    pub fn create(&self, id: StreamId, kind: StreamKind, priority: i32) -> DriverResult<StreamRef> {
        let context = self.context;
        // SAFETY: the rig's context is of this driver.
        let handle = unsafe { self.sim.stream_create(&context, id, kind, priority, "test") }?;
        Ok(StreamRef { id, context, handle, kind })
    }

    pub fn adopt(&self, handle: u64) -> DriverResult<StreamRef> {
        let (id, context) = (StreamId::fresh(), self.context);
        // SAFETY: dead handles are refused by the simulator.
        let kind = unsafe { self.sim.stream_adopt(&context, handle, id) }?;
        Ok(StreamRef { id, context, handle, kind })
    }

    pub fn pool(&self, space: Space) -> DriverResult<PoolRef> {
        let context = self.context;
        // SAFETY: the rig's context is of this driver.
        let handle = unsafe { self.sim.pool_create(&context, space) }?;
        Ok(PoolRef { context, space, handle })
    }

    /// Calls `function` in stream order. What it captures must live until it was called: the tests pass what is counted.
    pub fn call(
        &self,
        stream: &StreamRef,
        accesses: &[Access],
        function: impl FnOnce() + Send + 'static,
    ) -> DriverResult {
        type Boxed = Box<dyn FnOnce() + Send>;
        unsafe extern "C" fn call(data: *mut c_void) {
            // SAFETY: `data` is the box that was leaked below, and this is called once.
            let function = unsafe { Box::from_raw(data.cast::<Boxed>()) };
            function();
        }
        let function: Box<Boxed> = Box::new(Box::new(function));
        let function = HostFn { call, data: Box::into_raw(function).cast() };
        // SAFETY: the function may run on any thread, once; it touches what the test says.
        unsafe { self.sim.host_fn(stream, function, accesses) }
    }

    pub fn event(&self) -> EventRef {
        let (id, context) = (EventId::fresh(), self.context);
        // SAFETY: the rig's context is of this driver.
        let handle = unsafe { self.sim.event_create(&context, id) }.unwrap();
        EventRef { id, context, handle }
    }

    /// An event recorded now.
    pub fn recorded(&self, stream: &StreamRef) -> EventRef {
        let event = self.event();
        self.record(&event, stream).unwrap();
        event
    }

    /// One record on `from`, one wait on `to`.
    pub fn hand_over(&self, from: &StreamRef, to: &StreamRef) {
        self.wait(to, &self.recorded(from)).unwrap();
    }

    pub fn bytes(&self, ptr: DevicePtr, len: usize) -> Vec<u8> {
        Self::bytes_of(&self.sim, ptr, len)
    }

    /// The same without a rig. The simulator keeps its memory.
    pub fn bytes_of(_: &Sim, ptr: DevicePtr, len: usize) -> Vec<u8> {
        // SAFETY: the caller names `len` bytes of memory of the simulator, which are initialised; nothing writes now.
        unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(ptr.0 as usize), len) }.to_vec()
    }

    pub fn host_write(&self, ptr: DevicePtr, byte: u8, len: usize) {
        // SAFETY: as in `bytes`.
        unsafe { std::ptr::with_exposed_provenance_mut::<u8>(ptr.0 as usize).write_bytes(byte, len) }
    }

    /// Copies to pinned memory on `stream`, waits, and shows what arrived.
    pub fn download(&self, stream: &StreamRef, ptr: DevicePtr, len: usize) -> Vec<u8> {
        let pinned = self.pinned(len).unwrap();
        self.copy(stream, pinned, ptr, len).unwrap();
        self.sync(stream).unwrap();
        self.bytes(pinned, len)
    }

    pub fn load(&self, decl: &'static ModuleDecl) -> Module {
        // SAFETY: the rig's context is of this driver; the tests' twins keep their declarations.
        let LoadedModule { handle, functions } = unsafe { self.sim.module_load(&self.context, decl) }.unwrap();
        Module { module: ModuleRef { context: self.context, handle }, functions, decl }
    }

    pub fn launch(&self, stream: &StreamRef, module: &Module, kernel: usize, params: &[Param]) -> DriverResult {
        self.launch_as(stream, module.functions[kernel], &module.decl.kernels[kernel], [1; 3], [32, 1, 1], params)
    }

    pub fn launch_as(
        &self,
        stream: &StreamRef,
        function: u64,
        decl: &'static KernelDecl,
        grid: [u32; 3],
        block: [u32; 3],
        params: &[Param],
    ) -> DriverResult {
        let mut values: Vec<u64> = params.iter().map(Param::value).collect();
        let pointers: Vec<*const c_void> = values.iter().map(|value| std::ptr::from_ref(value).cast()).collect();
        let accesses: Vec<Access> = params.iter().filter_map(Param::access).collect();
        let launch = Launch { function, decl, grid, block, shared_bytes: 0, params: &pointers, accesses: &accesses };
        // SAFETY: `params` point to 8 bytes each, as much as any parameter here has. Wrong ranges and shapes are what
        // the tests are about, and are refused.
        let result = unsafe { self.sim.launch(stream, &launch) };
        // The arguments count at the time of the call: what is there later must not matter.
        values.fill(u64::MAX);
        result
    }
}

/// Draws for the tests' own programs, apart from the simulator's.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound
    }
}

impl Param {
    fn value(&self) -> u64 {
        match *self {
            // In native order a `u32` is at the start of its bytes.
            Param::U32(value) => u64::from_ne_bytes(bytemuck::cast([value, value])),
            Param::Read(ptr, _) | Param::Write(ptr, _) | Param::WriteElsewhere(ptr, ..) => ptr.0,
        }
    }

    fn access(&self) -> Option<Access> {
        match *self {
            Param::U32(_) => None,
            Param::Read(ptr, bytes) => Some(Access { ptr, bytes, write: false }),
            Param::Write(ptr, bytes) | Param::WriteElsewhere(_, ptr, bytes) => Some(Access { ptr, bytes, write: true }),
        }
    }
}

/// The driver's methods under short names.
impl Rig {
    pub fn record(&self, event: &EventRef, stream: &StreamRef) -> DriverResult {
        // SAFETY: dead handles are refused by the simulator, which is what some tests show.
        unsafe { self.sim.event_record(event, stream) }
    }

    pub fn wait(&self, stream: &StreamRef, event: &EventRef) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.event_wait(stream, event) }
    }

    pub fn event_sync(&self, event: &EventRef) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.event_sync(event) }
    }

    pub fn event_query(&self, event: &EventRef) -> DriverResult<bool> {
        // SAFETY: as in `record`.
        unsafe { self.sim.event_query(event) }
    }

    pub fn destroy_event(&self, event: &EventRef) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.event_destroy(event) }
    }

    pub fn destroy(&self, stream: &StreamRef) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.stream_destroy(stream) }
    }

    pub fn sync(&self, stream: &StreamRef) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.stream_sync(stream) }
    }

    pub fn query(&self, stream: &StreamRef) -> DriverResult<bool> {
        // SAFETY: as in `record`.
        unsafe { self.sim.stream_query(stream) }
    }

    pub fn sync_all(&self) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.context_sync(&self.context) }
    }

    pub fn close(&self) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.context_close(&self.context) }
    }

    pub fn alloc(&self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: as in `record`.
        unsafe { self.sim.alloc_async(stream, bytes) }
    }

    pub fn free(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: wrong addresses are refused; memory of the simulator stays host memory until it is dropped.
        unsafe { self.sim.free_async(stream, ptr) }
    }

    pub fn pinned(&self, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: as in `record`.
        unsafe { self.sim.pinned_alloc(&self.context, bytes) }
    }

    pub fn free_pinned(&self, ptr: DevicePtr) -> DriverResult {
        // SAFETY: as in `free`.
        unsafe { self.sim.pinned_free(&self.context, ptr) }
    }

    pub fn fill(&self, stream: &StreamRef, dst: DevicePtr, byte: u8, bytes: usize) -> DriverResult {
        self.fill_with(stream, dst, Pattern::D8(byte), bytes)
    }

    pub fn fill_with(&self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult {
        // SAFETY: as in `free`; operations run one at a time, and the test's thread reads after a sync.
        unsafe { self.sim.fill_async(stream, dst, pattern, count) }
    }

    pub fn copy(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        // SAFETY: as in `fill_with`.
        unsafe { self.sim.copy_async(stream, dst, src, bytes) }
    }

    pub fn unload(&self, module: &Module) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.module_unload(&module.module) }
    }

    pub fn is_capturing(&self, stream: &StreamRef) -> DriverResult<bool> {
        // SAFETY: as in `record`.
        unsafe { self.sim.stream_is_capturing(stream) }
    }

    pub fn priority_range(&self) -> DriverResult<(i32, i32)> {
        // SAFETY: as in `record`.
        unsafe { self.sim.priority_range(&self.context) }
    }

    pub fn attribute(&self, attribute: DeviceAttribute) -> DriverResult<i32> {
        // SAFETY: as in `record`.
        unsafe { self.sim.attribute(&self.context, attribute) }
    }

    pub fn managed(&self, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: as in `record`.
        unsafe { self.sim.managed_alloc(&self.context, bytes) }
    }

    pub fn free_managed(&self, ptr: DevicePtr) -> DriverResult {
        // SAFETY: as in `free`.
        unsafe { self.sim.managed_free(&self.context, ptr) }
    }

    pub fn alloc_in(&self, stream: &StreamRef, pool: &PoolRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: as in `record`.
        unsafe { self.sim.pool_alloc_async(stream, pool, bytes) }
    }

    pub fn destroy_pool(&self, pool: &PoolRef) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.pool_destroy(pool) }
    }

    pub fn trim(&self, pool: &PoolRef, keep: usize) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.pool_trim(pool, keep) }
    }

    pub fn ask(&self, pool: &PoolRef, attribute: PoolAttribute) -> DriverResult<u64> {
        // SAFETY: as in `record`.
        unsafe { self.sim.pool_attribute(pool, attribute) }
    }

    pub fn set(&self, pool: &PoolRef, attribute: PoolAttribute, value: u64) -> DriverResult {
        // SAFETY: attributes that cannot be set are refused by the simulator.
        unsafe { self.sim.pool_set(pool, attribute, value) }
    }

    pub fn peer_possible(&self, peer: &Rig) -> DriverResult<bool> {
        // SAFETY: as in `record`.
        unsafe { self.sim.peer_possible(&self.context, &peer.context) }
    }

    pub fn enable_peer(&self, peer: &Rig) -> DriverResult {
        // SAFETY: as in `record`.
        unsafe { self.sim.peer_enable(&self.context, &peer.context) }
    }

    pub fn peer_copy(
        &self,
        stream: &StreamRef,
        to: (&Rig, DevicePtr),
        from: (&Rig, DevicePtr),
        bytes: usize,
    ) -> DriverResult {
        // SAFETY: as in `fill_with`.
        unsafe { self.sim.peer_copy_async(stream, (&to.0.context, to.1), (&from.0.context, from.1), bytes) }
    }
}

/// What is shared with other processes.
#[cfg(unix)]
impl Rig {
    pub fn uuid(&self) -> DriverResult<DeviceUuid> {
        // SAFETY: as in `record`.
        unsafe { self.sim.device_uuid(&self.context) }
    }

    pub fn exportable_pool(&self) -> DriverResult<PoolRef> {
        let (context, space) = (self.context, Space::DeviceMemory);
        // SAFETY: the rig's context is of this driver.
        let handle = unsafe { self.sim.exportable_pool_create(&context) }?;
        Ok(PoolRef { context, space, handle })
    }

    pub fn export_pool(&self, pool: &PoolRef) -> DriverResult<OwnedFd> {
        // SAFETY: other pools are refused by the simulator.
        unsafe { self.sim.pool_export(pool) }
    }

    pub fn import_pool(&self, descriptor: impl AsFd) -> DriverResult<PoolRef> {
        let (context, space) = (self.context, Space::DeviceMemory);
        // SAFETY: what is no pool is refused by the simulator.
        let handle = unsafe { self.sim.pool_import(&context, descriptor.as_fd()) }?;
        Ok(PoolRef { context, space, handle })
    }

    pub fn pool_of(&self, ptr: DevicePtr) -> DriverResult<u64> {
        // SAFETY: wrong addresses are refused by the simulator.
        unsafe { self.sim.pool_of(&self.context, ptr) }
    }

    pub fn allocation_bytes(&self, ptr: DevicePtr) -> DriverResult<usize> {
        // SAFETY: as in `pool_of`.
        unsafe { self.sim.allocation_bytes(&self.context, ptr) }
    }

    pub fn export(&self, ptr: DevicePtr) -> DriverResult<PointerData> {
        // SAFETY: as in `pool_of`.
        unsafe { self.sim.pointer_export(&self.context, ptr) }
    }

    pub fn import(&self, pool: &PoolRef, data: &PointerData) -> DriverResult<DevicePtr> {
        // SAFETY: wrong data are refused by the simulator.
        unsafe { self.sim.pointer_import(pool, data) }
    }

    pub fn interprocess_event(&self) -> DriverResult<EventRef> {
        let (id, context) = (EventId::fresh(), self.context);
        // SAFETY: the rig's context is of this driver.
        let handle = unsafe { self.sim.interprocess_event_create(&context, id) }?;
        Ok(EventRef { id, context, handle })
    }

    pub fn export_event(&self, event: &EventRef) -> DriverResult<EventData> {
        // SAFETY: other events are refused by the simulator.
        unsafe { self.sim.event_export(event) }
    }

    pub fn import_event(&self, data: &EventData) -> DriverResult<EventRef> {
        let (id, context) = (EventId::fresh(), self.context);
        // SAFETY: wrong data are refused by the simulator.
        let handle = unsafe { self.sim.event_import(&context, id, data) }?;
        Ok(EventRef { id, context, handle })
    }
}
