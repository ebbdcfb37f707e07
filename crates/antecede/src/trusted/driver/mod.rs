//! What the library asks of a device: the [`Driver`] trait and the plain values that cross it.
//!
//! Nothing here knows a brand or a state. The typed layer above decides *which* calls are made; a driver only makes
//! them. The calls are the ones a careful engineer would write by hand, one trait method to one call of the CUDA
//! driver API.

mod error;
mod handles;
mod kernel;

pub use error::{DriverError, DriverResult, ErrorKind};
pub use handles::{
    ContextId, ContextRef, DeviceAttribute, DevicePtr, DeviceUuid, DriverId, EventData, EventId, EventRef, HostFn,
    ModuleRef, PointerData, PoolAttribute, PoolRef, Space, StreamId, StreamKind, StreamRef,
};
pub use kernel::{KernelDecl, Launch, LoadedModule, ModuleDecl, ParamDecl, ParamKind, Twin, TwinArgs};

use std::fmt;
#[cfg(unix)]
use std::os::fd::{BorrowedFd, OwnedFd};

/// A byte range that an operation reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// First byte.
    pub ptr: DevicePtr,
    /// Length in bytes.
    pub bytes: usize,
    /// Whether the operation writes there (it may read as well).
    pub write: bool,
}

/// The value that a fill repeats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// `cuMemsetD8Async`.
    D8(u8),
    /// `cuMemsetD16Async`; the destination is aligned to 2 bytes.
    D16(u16),
    /// `cuMemsetD32Async`; the destination is aligned to 4 bytes.
    D32(u32),
}

impl Pattern {
    /// Bytes of one repetition: 1, 2 or 4.
    pub const fn width(self) -> usize {
        match self {
            Pattern::D8(_) => 1,
            Pattern::D16(_) => 2,
            Pattern::D32(_) => 4,
        }
    }
}

/// A device driver: CUDA, a simulator, or a wrapper around another driver.
///
/// Each method names the CUDA driver call that it stands for. An operation *is submitted to* a stream; it *takes
/// effect* later.
///
/// # Safety
///
/// The soundness of the safe API rests on these promises of an implementation:
///
/// 1. **Stream order.** What is submitted to one stream takes effect one after the other, in the order of submission,
///    from whichever threads it was submitted.
/// 2. **Events.** What is submitted to a stream after an `event_wait` takes effect after everything that was submitted
///    to the recording stream before the event's latest `event_record` at the time of the wait. Recording the event
///    again later, or destroying it, does not change a wait already submitted.
/// 3. **Host waits.** `stream_sync`, `event_sync`, `context_sync` return `Ok`, and `stream_query`, `event_query` return
///    `Ok(true)`, only when what they speak of has taken effect and the host sees it. `context_sync` speaks of every
///    stream of the context.
/// 4. **Memory.** `alloc_async`, `pool_alloc_async`, `pinned_alloc` and `managed_alloc` return memory of at least the asked size, aligned to 256 bytes, that
///    overlaps no memory in use: none that is not yet freed, and none whose free is not ordered before this allocation.
///    Every byte pattern is a value there (the contents are unspecified, not undefined).
/// 5. **Nothing else is touched.** A copy, a fill or a launch reads and writes only the ranges it is given, and not
///    after it has taken effect. A launch runs the function of the module that it names, with the values that `params`
///    points to *at the time of the call*.
/// 6. **No unwinding.** No method panics.
/// 7. **Any thread, right context.** Every method works from any thread, in the context of the handle it is given,
///    whatever is current on that thread, and leaves that thread's current context as it found it.
/// 8. **Errors.** An `Err` from a method that submits may report an earlier failure: the operation may or may not have
///    been submitted, and if it was, promises 1 to 5 hold of it. An `Err` from a sync or a query says nothing of what
///    has taken effect. An `Err` from a method that creates has created nothing.
/// 9. **Identity.** `id` is the same for two handles of one driver and differs for any other. `context_open` returns the
///    same `ContextId`, and the same `legacy`, exactly when the context is the same.
/// 10. **Modules.** `module_load` refuses a module whose PTX lacks a declared entry, or has one with another number or
///     other sizes of parameters.
/// 11. **The legacy default stream.** What is submitted to it (an event record or wait, a fill, copy, launch, free or host
///     function; not an allocation, nor a query) takes effect after everything submitted before to any blocking stream of
///     its context, and before every such operation submitted later to one. A sync or query of it speaks of the blocking
///     streams' earlier work as well. The per-thread streams are blocking streams.
/// 12. **Host functions.** A `host_fn` is called once, in stream order, unless its submission returned an error that says
///     so; never while the host waits in a driver call that holds a lock.
/// 13. **Return at once.** Methods that submit, and `event_destroy` and `stream_destroy`, do not wait for the device
///     while holding a lock that another method needs.
/// 14. **Between processes.** `pointer_import` returns memory that shares its bytes with the allocation that
///     `pointer_export` was asked about, in whichever process. `free_async` of it ends this process's use alone; until
///     then it is valid, also when the exporting process has freed its allocation, or is gone. An `event_wait` on an
///     imported event is for the latest record that was submitted in any process before it; promise 2 holds of it, as
///     long as its exporter does not record it again before the wait has ended. If the exporter dies before its record
///     has taken effect, such a wait may never end.
///
/// The methods are `unsafe` to *call*: safe code that holds a driver value must not get at memory through it. A caller
/// promises:
///
/// 1. Handles come from this driver, were created in the context they name, and are not destroyed yet.
/// 2. Ranges lie in live memory of that driver, and the allocation is ordered before the operation.
/// 3. No other access of a range that is written, and no write of a range that is read, is unordered with the operation.
/// 4. `free_async`, `pinned_free` and `managed_free` are given an address that was allocated by the sibling method, once,
///    ordered after every use (for the latter two: every use has completed).
/// 5. A stream is destroyed when nothing is submitted to it any more; a context is closed, and a module unloaded, when
///    everything in it has taken effect.
/// 6. For a launch, the arguments satisfy the kernel's contract.
/// 7. A stream of kind `PerThread` is used on the thread that it was created on.
/// 8. What another process exported is imported once at a time by this process, and is not freed there before its free
///    here has taken effect.
pub unsafe trait Driver: Send + Sync + fmt::Debug + 'static {
    /// The driver's identity (promise 9).
    fn id(&self) -> DriverId;

    /// A short name for messages: `cuda`, `sim`.
    fn name(&self) -> &'static str;

    /// Number of devices (`cuDeviceGetCount`).
    fn device_count(&self) -> DriverResult<u32>;

    /// The host is about to read or write this range of pinned memory. No driver call; a tracing driver notes it.
    fn note_host_access(&self, access: Access) {
        let _ = access;
    }

    /// Opens the device's context (`cuDevicePrimaryCtxRetain`). Opened n times, it is closed n times.
    ///
    /// # Safety
    /// The caller's promises of the trait; the same for all methods below.
    unsafe fn context_open(&self, ordinal: u32) -> DriverResult<ContextRef>;

    /// Gives a context back (`cuDevicePrimaryCtxRelease`).
    ///
    /// # Safety
    /// Promises 1 and 5.
    unsafe fn context_close(&self, context: &ContextRef) -> DriverResult;

    /// Waits for everything submitted to any stream of the context (`cuCtxSynchronize`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn context_sync(&self, context: &ContextRef) -> DriverResult;

    /// Creates a stream (`cuStreamCreateWithPriority`) and returns its handle. Its id is `id`; `name` is for logs. A
    /// priority outside of what the device has is clamped.
    ///
    /// For [`StreamKind::LegacyStream`] (`id` is the context's `legacy`) and [`StreamKind::PerThreadStream`] (`id` is fresh for each
    /// thread) nothing is created: the handle of the built-in stream is returned, and `stream_destroy` does nothing.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn stream_create(
        &self,
        context: &ContextRef,
        id: StreamId,
        kind: StreamKind,
        priority: i32,
        name: &'static str,
    ) -> DriverResult<u64>;

    /// Destroys a stream (`cuStreamDestroy`); what is submitted to it still takes effect.
    ///
    /// # Safety
    /// Promises 1 and 5.
    unsafe fn stream_destroy(&self, stream: &StreamRef) -> DriverResult;

    /// Waits for everything submitted to the stream (`cuStreamSynchronize`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn stream_sync(&self, stream: &StreamRef) -> DriverResult;

    /// Whether everything submitted to the stream has taken effect (`cuStreamQuery`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn stream_query(&self, stream: &StreamRef) -> DriverResult<bool>;

    /// Creates an event without timing (`cuEventCreate` with `CU_EVENT_DISABLE_TIMING`) and returns its handle.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn event_create(&self, context: &ContextRef, id: EventId) -> DriverResult<u64>;

    /// Destroys an event (`cuEventDestroy`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn event_destroy(&self, event: &EventRef) -> DriverResult;

    /// Records the event on the stream (`cuEventRecord`).
    ///
    /// # Safety
    /// Promise 1; event and stream are of one context.
    unsafe fn event_record(&self, event: &EventRef, stream: &StreamRef) -> DriverResult;

    /// Makes the stream wait for the event's latest record (`cuStreamWaitEvent`). The host does not block.
    ///
    /// The event may be of another context.
    ///
    /// # Safety
    /// Promise 1; the event has been recorded.
    unsafe fn event_wait(&self, stream: &StreamRef, event: &EventRef) -> DriverResult;

    /// Makes the host wait for the event's latest record (`cuEventSynchronize`).
    ///
    /// # Safety
    /// Promise 1; the event has been recorded.
    unsafe fn event_sync(&self, event: &EventRef) -> DriverResult;

    /// Whether the event's latest record has taken effect (`cuEventQuery`).
    ///
    /// # Safety
    /// Promise 1; the event has been recorded.
    unsafe fn event_query(&self, event: &EventRef) -> DriverResult<bool>;

    /// Allocates device memory in stream order (`cuMemAllocAsync`). `bytes` is not zero.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn alloc_async(&self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr>;

    /// Frees device memory in stream order (`cuMemFreeAsync`).
    ///
    /// # Safety
    /// Promises 1 and 4.
    unsafe fn free_async(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult;

    /// Allocates pinned host memory that the context's device can read and write (`cuMemHostAlloc`). Not ordered by any
    /// stream: usable when the call returns. `bytes` is not zero.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn pinned_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr>;

    /// Frees pinned host memory (`cuMemFreeHost`). May wait for the device.
    ///
    /// # Safety
    /// Promises 1 and 4.
    unsafe fn pinned_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult;

    /// Repeats `pattern` `count` times from `dst` on (`cuMemsetD8Async` and its wider forms).
    ///
    /// # Safety
    /// Promises 1 to 3; `dst` is aligned to the pattern's width.
    unsafe fn fill_async(&self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult;

    /// Copies between any two kinds of memory that this driver allocated (`cuMemcpyAsync`). The ranges do not overlap.
    ///
    /// # Safety
    /// Promises 1 to 3.
    unsafe fn copy_async(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult;

    /// Loads a module (`cuModuleLoadDataEx`, `cuModuleGetFunction`) after checking it against its declaration.
    ///
    /// # Safety
    /// Promise 1; the declaration's own promises hold.
    unsafe fn module_load(&self, context: &ContextRef, decl: &'static ModuleDecl) -> DriverResult<LoadedModule>;

    /// Unloads a module (`cuModuleUnload`).
    ///
    /// # Safety
    /// Promises 1 and 5.
    unsafe fn module_unload(&self, module: &ModuleRef) -> DriverResult;

    /// Launches a kernel (`cuLaunchKernel`).
    ///
    /// # Safety
    /// Promises 1 to 3 for every range in `accesses`, and 6.
    unsafe fn launch(&self, stream: &StreamRef, launch: &Launch<'_>) -> DriverResult;

    /// Looks at a stream that something else made: its kind (`cuStreamGetFlags`), whether it is of this context
    /// (`cuStreamGetCtx`) and not capturing (`cuStreamIsCapturing`); an error where it is not.
    ///
    /// # Safety
    /// `handle` is a live stream.
    unsafe fn stream_adopt(&self, context: &ContextRef, handle: u64, id: StreamId) -> DriverResult<StreamKind>;

    /// Whether work submitted to the stream is captured into a graph instead of run (`cuStreamIsCapturing`).
    ///
    /// # Safety
    /// Promises 1 and 7.
    unsafe fn stream_is_capturing(&self, stream: &StreamRef) -> DriverResult<bool>;

    /// The lowest and the highest priority of a stream (`cuCtxGetStreamPriorityRange`): (0, -5), say.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn priority_range(&self, context: &ContextRef) -> DriverResult<(i32, i32)>;

    /// Calls a host function in stream order (`cuLaunchHostFunc`). `accesses` are the bytes of pinned or managed memory
    /// that it reads and writes.
    ///
    /// # Safety
    /// Promises 1 to 3, and 7; the function may be called once, from any thread, also after this call has returned an
    /// error.
    unsafe fn host_fn(&self, stream: &StreamRef, function: HostFn, accesses: &[Access]) -> DriverResult;

    /// A property of the context's device (`cuDeviceGetAttribute`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn attribute(&self, context: &ContextRef, attribute: DeviceAttribute) -> DriverResult<i32>;

    /// Allocates managed memory (`cuMemAllocManaged`, attached globally). Not ordered by any stream. `bytes` is not zero.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn managed_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr>;

    /// Frees managed memory (`cuMemFree`). May wait for the device.
    ///
    /// # Safety
    /// Promises 1 and 4.
    unsafe fn managed_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult;

    /// Creates a pool (`cuMemPoolCreate`) and returns its handle; `NotSupported` where the device has none of that space.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn pool_create(&self, context: &ContextRef, space: Space) -> DriverResult<u64>;

    /// Destroys a pool (`cuMemPoolDestroy`).
    ///
    /// # Safety
    /// Promise 1; every allocation from it has been freed, and the frees have taken effect.
    unsafe fn pool_destroy(&self, pool: &PoolRef) -> DriverResult;

    /// Gives memory above `keep` bytes that no allocation uses back to the system (`cuMemPoolTrimTo`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn pool_trim(&self, pool: &PoolRef, keep: usize) -> DriverResult;

    /// Reads an attribute (`cuMemPoolGetAttribute`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn pool_attribute(&self, pool: &PoolRef, attribute: PoolAttribute) -> DriverResult<u64>;

    /// Sets an attribute (`cuMemPoolSetAttribute`).
    ///
    /// # Safety
    /// Promise 1; the attribute is one that can be set.
    unsafe fn pool_set(&self, pool: &PoolRef, attribute: PoolAttribute, value: u64) -> DriverResult;

    /// Allocates from a pool in stream order (`cuMemAllocFromPoolAsync`); freed by `free_async`. `bytes` is not zero.
    ///
    /// # Safety
    /// Promise 1; stream and pool are of one context.
    unsafe fn pool_alloc_async(&self, stream: &StreamRef, pool: &PoolRef, bytes: usize) -> DriverResult<DevicePtr>;

    /// Whether `context`'s device can address the memory of `peer`'s (`cuDeviceCanAccessPeer`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn peer_possible(&self, context: &ContextRef, peer: &ContextRef) -> DriverResult<bool>;

    /// Lets `context`'s device address the memory of `peer`'s: its default pool (`cuMemPoolSetAccess`) and other
    /// allocations (`cuCtxEnablePeerAccess`). Never revoked. Asked for again, it does nothing.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn peer_enable(&self, context: &ContextRef, peer: &ContextRef) -> DriverResult;

    /// Copies from the memory of one context to that of another (`cuMemcpyPeerAsync`): directly where a peer access is
    /// enabled, through the host elsewhere. `stream` is of either context.
    ///
    /// # Safety
    /// Promises 1 to 3.
    unsafe fn peer_copy_async(
        &self,
        stream: &StreamRef,
        to: (&ContextRef, DevicePtr),
        from: (&ContextRef, DevicePtr),
        bytes: usize,
    ) -> DriverResult;

    /// The identity of the context's device: the same in every process, and different for any other device
    /// (`cuDeviceGetUuid`).
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn device_uuid(&self, context: &ContextRef) -> DriverResult<DeviceUuid>;

    /// Creates a pool of device memory whose allocations other processes can import (`cuMemPoolCreate` with
    /// `CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR`) and returns its handle; `NotSupported` where there is none.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn exportable_pool_create(&self, context: &ContextRef) -> DriverResult<u64>;

    /// A descriptor of such a pool, for another process (`cuMemPoolExportToShareableHandle`). Closed on `exec`.
    ///
    /// # Safety
    /// Promise 1; the pool is exportable, and was created by this process.
    #[cfg(unix)]
    unsafe fn pool_export(&self, pool: &PoolRef) -> DriverResult<OwnedFd>;

    /// Opens another process's pool (`cuMemPoolImportFromShareableHandle`) and returns its handle, on which
    /// `pointer_import`, `pool_attribute` and `pool_destroy` may be called: nothing is allocated from it. The descriptor
    /// may be closed afterwards.
    ///
    /// # Safety
    /// Promise 1.
    #[cfg(unix)]
    unsafe fn pool_import(&self, context: &ContextRef, descriptor: BorrowedFd<'_>) -> DriverResult<u64>;

    /// The handle of the pool that the allocation at `ptr` came from
    /// (`cuPointerGetAttribute` of `CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE`).
    ///
    /// # Safety
    /// Promise 1; `ptr` is a live stream-ordered allocation of the context's device.
    unsafe fn pool_of(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<u64>;

    /// How many bytes the allocation has that starts at `ptr` (`cuMemGetAddressRange`): at least what was asked for.
    /// `NotSupported` where the driver does not tell.
    ///
    /// # Safety
    /// Promise 1; `ptr` is live memory of the context's device, imported or not.
    unsafe fn allocation_bytes(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<usize>;

    /// What another process imports the allocation at `ptr` by (`cuMemPoolExportPointer`).
    ///
    /// # Safety
    /// Promise 1; `ptr` is the start of a live allocation from an exportable pool of this process.
    unsafe fn pointer_export(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<PointerData>;

    /// Maps an allocation of another process (`cuMemPoolImportPointer`). Not ordered by any stream: the mapping is usable
    /// when the call returns; its contents are those of the exporter's work that is ordered before. Ended by `free_async`.
    ///
    /// # Safety
    /// Promises 1 and 8; `pool` is an imported one, and `data` was exported from it.
    unsafe fn pointer_import(&self, pool: &PoolRef, data: &PointerData) -> DriverResult<DevicePtr>;

    /// Creates an event that other processes can wait for (`cuEventCreate` with `CU_EVENT_INTERPROCESS` and
    /// `CU_EVENT_DISABLE_TIMING`) and returns its handle.
    ///
    /// # Safety
    /// Promise 1.
    unsafe fn interprocess_event_create(&self, context: &ContextRef, id: EventId) -> DriverResult<u64>;

    /// What another process opens the event by (`cuIpcGetEventHandle`).
    ///
    /// # Safety
    /// Promise 1; an interprocess event, created by this process.
    unsafe fn event_export(&self, event: &EventRef) -> DriverResult<EventData>;

    /// Opens another process's event (`cuIpcOpenEventHandle`) and returns its handle; it is waited for, synchronised,
    /// queried and destroyed like any other, and counts as recorded. Its exporter keeps it until it is destroyed here.
    ///
    /// # Safety
    /// Promise 1; the event has been recorded.
    unsafe fn event_import(&self, context: &ContextRef, id: EventId, data: &EventData) -> DriverResult<u64>;
}
