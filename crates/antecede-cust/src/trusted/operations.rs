//! The `Driver` methods: each one call of the driver API, in the context of its handle.

#[cfg(unix)]
use std::os::fd::{BorrowedFd, OwnedFd};
use std::ptr;

use antecede::driver::{
    Access, ContextRef, DeviceAttribute, DevicePtr, DeviceUuid, Driver, DriverId, DriverResult, EventData, EventId,
    EventRef, HostFn, Launch, LoadedModule, ModuleDecl, ModuleRef, Pattern, PointerData, PoolAttribute, PoolRef, Space,
    StreamId, StreamKind, StreamRef,
};
use cust::sys::{CUevent, CUevent_flags, CUmemoryPool, CUmodule, CUstream};

use super::call::{cuda, ready};
use super::context::within;
use super::cuda::{Cuda, count_devices};
use super::{attributes, memory, module, peers, pools, processes, streams};

// SAFETY: by the numbers of the promises of `Driver`:
// 1, 2, 3. Streams, events and waits are CUDA's own, which order so: "work submitted to a stream is executed in the order
//    of submission"; `cuStreamWaitEvent` makes "all future work submitted to hStream wait for all work captured in
//    hEvent", and captures at the time of the call (driver API, stream and event management).
// 4. `cuMemAllocAsync` and `cuMemAllocFromPoolAsync` give memory that is usable in the order of the stream, never in use
//    elsewhere; addresses from the driver's allocators are aligned to 256 bytes at least (programming guide), pinned ones
//    to a page.
// 5. Copies and fills get the caller's range. A launch names a function that `module_load` obtained, and CUDA reads the
//    parameters during the call (`cuLaunchKernel`).
// 6. Nothing here panics: no index, no arithmetic that overflows, no `unwrap`; locks are taken whether poisoned or not.
// 7. Every method that takes a handle runs in `within` its context; what is asked of a device needs none.
// 8. A method that creates returns `Err` only when the driver did, or after undoing (streams, modules, pools). Should the
//    thread's context not be restored, what was created is leaked, and never used.
// 9. One `Shared` a process has the id; `Shared::open` keeps one context for each ordinal, and one id for it and one for
//    its legacy stream.
// 10. `module::load` compares before it loads.
// 11. The legacy stream is CUDA's own: "the legacy default stream is an implicit stream which synchronizes with all other
//    streams in the same CUcontext except for non-blocking streams"; "the per-thread default stream .. will synchronize
//    with the legacy default stream" (driver API, stream synchronization behavior). Both go by their own handles, and a
//    stream's flags are read back when it is made or adopted.
// 12. `cuLaunchHostFunc`: the function "will be called after currently enqueued work and will block work added after it",
//    by a thread of CUDA's own. When the context is lost before its turn, it is not called at all.
// 13. The two locks are taken by opening and closing contexts, and by pools and peers. CUDA's submissions do not wait for
//    the device; a kernel's lazy loading would, so `module::load` does it.
// 14. Pools, pointers and events between processes are CUDA's own. An allocation that was imported is mapped by this
//    process until its `cuMemFreeAsync`, whatever becomes of the process that exported it (seen on an H200, driver 580:
//    freed there, exited and killed). `cuStreamWaitEvent` captures an imported event's latest record like any other's.
unsafe impl Driver for Cuda {
    fn id(&self) -> DriverId {
        self.shared.id
    }

    fn name(&self) -> &'static str {
        "cuda"
    }

    fn device_count(&self) -> DriverResult<u32> {
        count_devices()
    }

    unsafe fn context_open(&self, ordinal: u32) -> DriverResult<ContextRef> {
        self.shared.open(ordinal)
    }

    unsafe fn context_close(&self, context: &ContextRef) -> DriverResult {
        self.shared.close(context)
    }

    unsafe fn context_sync(&self, context: &ContextRef) -> DriverResult {
        // SAFETY: a live context (caller's promise 1). The same holds of every `within` and handle below.
        unsafe { within(context, || cuda!(cuCtxSynchronize())) }
    }

    unsafe fn stream_create(
        &self,
        context: &ContextRef,
        _id: StreamId,
        kind: StreamKind,
        priority: i32,
        _name: &'static str,
    ) -> DriverResult<u64> {
        // SAFETY: promise 1.
        unsafe { within(context, || streams::create(kind, priority)) }
    }

    unsafe fn stream_destroy(&self, stream: &StreamRef) -> DriverResult {
        if streams::is_built_in(stream.kind) {
            return Ok(());
        }
        // SAFETY: promises 1 and 5.
        unsafe { within(&stream.context, || cuda!(cuStreamDestroy_v2(stream.handle as CUstream))) }
    }

    unsafe fn stream_sync(&self, stream: &StreamRef) -> DriverResult {
        // SAFETY: promise 1.
        unsafe { within(&stream.context, || cuda!(cuStreamSynchronize(stream.handle as CUstream))) }
    }

    unsafe fn stream_query(&self, stream: &StreamRef) -> DriverResult<bool> {
        // SAFETY: promise 1.
        unsafe { within(&stream.context, || ready(cuda!(cuStreamQuery(stream.handle as CUstream)))) }
    }

    unsafe fn event_create(&self, context: &ContextRef, _id: EventId) -> DriverResult<u64> {
        let mut event: CUevent = ptr::null_mut();
        let flags = CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
        // SAFETY: promise 1; `event` outlives the call.
        unsafe { within(context, || cuda!(cuEventCreate(&mut event, flags))) }?;
        Ok(event as u64)
    }

    unsafe fn event_destroy(&self, event: &EventRef) -> DriverResult {
        // SAFETY: promise 1.
        unsafe { within(&event.context, || cuda!(cuEventDestroy_v2(event.handle as CUevent))) }
    }

    unsafe fn event_record(&self, event: &EventRef, stream: &StreamRef) -> DriverResult {
        // SAFETY: promise 1.
        unsafe { within(&stream.context, || cuda!(cuEventRecord(event.handle as CUevent, stream.handle as CUstream))) }
    }

    unsafe fn event_wait(&self, stream: &StreamRef, event: &EventRef) -> DriverResult {
        // The stream's context: the event's may be that of another device.
        // SAFETY: promise 1.
        unsafe {
            within(&stream.context, || cuda!(cuStreamWaitEvent(stream.handle as CUstream, event.handle as CUevent, 0)))
        }
    }

    unsafe fn event_sync(&self, event: &EventRef) -> DriverResult {
        // SAFETY: promise 1.
        unsafe { within(&event.context, || cuda!(cuEventSynchronize(event.handle as CUevent))) }
    }

    unsafe fn event_query(&self, event: &EventRef) -> DriverResult<bool> {
        // SAFETY: promise 1.
        unsafe { within(&event.context, || ready(cuda!(cuEventQuery(event.handle as CUevent)))) }
    }

    unsafe fn alloc_async(&self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: promise 1.
        unsafe { within(&stream.context, || memory::alloc(stream.handle as CUstream, bytes)) }
    }

    unsafe fn free_async(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: promises 1 and 4.
        unsafe { within(&stream.context, || cuda!(cuMemFreeAsync(ptr.0, stream.handle as CUstream))) }
    }

    unsafe fn pinned_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: promise 1.
        unsafe { within(context, || memory::pinned(bytes)) }
    }

    unsafe fn pinned_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: promises 1 and 4.
        unsafe { within(context, || memory::free_pinned(ptr)) }
    }

    unsafe fn fill_async(&self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult {
        // SAFETY: promises 1 to 3.
        unsafe { within(&stream.context, || memory::fill(stream.handle as CUstream, dst, pattern, count)) }
    }

    unsafe fn copy_async(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        // SAFETY: promises 1 to 3.
        unsafe { within(&stream.context, || cuda!(cuMemcpyAsync(dst.0, src.0, bytes, stream.handle as CUstream))) }
    }

    unsafe fn module_load(&self, context: &ContextRef, decl: &'static ModuleDecl) -> DriverResult<LoadedModule> {
        // SAFETY: promise 1; the declaration's promises are the caller's.
        unsafe { within(context, || module::load(decl)) }
    }

    unsafe fn module_unload(&self, module: &ModuleRef) -> DriverResult {
        // SAFETY: promises 1 and 5.
        unsafe { within(&module.context, || cuda!(cuModuleUnload(module.handle as CUmodule))) }
    }

    unsafe fn launch(&self, stream: &StreamRef, launch: &Launch<'_>) -> DriverResult {
        // SAFETY: promises 1 to 3 and 6.
        unsafe { within(&stream.context, || module::launch(stream.handle as CUstream, launch)) }
    }

    unsafe fn stream_adopt(&self, context: &ContextRef, handle: u64, _id: StreamId) -> DriverResult<StreamKind> {
        // SAFETY: a live context and, as this method's own section says, a live stream.
        unsafe { within(context, || streams::adopt(context, handle)) }
    }

    unsafe fn stream_is_capturing(&self, stream: &StreamRef) -> DriverResult<bool> {
        // SAFETY: promises 1 and 7.
        unsafe { within(&stream.context, || streams::is_capturing(stream.handle)) }
    }

    unsafe fn priority_range(&self, context: &ContextRef) -> DriverResult<(i32, i32)> {
        // SAFETY: promise 1.
        unsafe { within(context, streams::priority_range) }
    }

    unsafe fn host_fn(&self, stream: &StreamRef, function: HostFn, _accesses: &[Access]) -> DriverResult {
        // SAFETY: promises 1 to 3; the function may be called, once, with its data.
        unsafe {
            within(&stream.context, || {
                cuda!(cuLaunchHostFunc(stream.handle as CUstream, Some(function.call), function.data))
            })
        }
    }

    unsafe fn attribute(&self, context: &ContextRef, attribute: DeviceAttribute) -> DriverResult<i32> {
        attributes::attribute(context.ordinal, attribute)
    }

    unsafe fn managed_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: promise 1.
        unsafe { within(context, || memory::managed(bytes)) }
    }

    unsafe fn managed_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: promises 1 and 4.
        unsafe { within(context, || cuda!(cuMemFree_v2(ptr.0))) }
    }

    unsafe fn pool_create(&self, context: &ContextRef, space: Space) -> DriverResult<u64> {
        // SAFETY: promise 1.
        unsafe { self.shared.pools.create(context, space) }
    }

    unsafe fn pool_destroy(&self, pool: &PoolRef) -> DriverResult {
        // SAFETY: promise 1; nothing allocated from the pool is in use.
        unsafe { self.shared.pools.destroy(pool) }
    }

    unsafe fn pool_trim(&self, pool: &PoolRef, keep: usize) -> DriverResult {
        // SAFETY: promise 1.
        unsafe { within(&pool.context, || cuda!(cuMemPoolTrimTo(pool.handle as CUmemoryPool, keep))) }
    }

    unsafe fn pool_attribute(&self, pool: &PoolRef, attribute: PoolAttribute) -> DriverResult<u64> {
        // SAFETY: promise 1.
        unsafe { within(&pool.context, || pools::read(pool.handle as CUmemoryPool, attribute)) }
    }

    unsafe fn pool_set(&self, pool: &PoolRef, attribute: PoolAttribute, value: u64) -> DriverResult {
        // SAFETY: promise 1.
        unsafe { within(&pool.context, || pools::set(pool.handle as CUmemoryPool, attribute, value)) }
    }

    unsafe fn pool_alloc_async(&self, stream: &StreamRef, pool: &PoolRef, bytes: usize) -> DriverResult<DevicePtr> {
        let (queue, pool) = (stream.handle as CUstream, pool.handle as CUmemoryPool);
        // SAFETY: promise 1; stream and pool are of one context.
        unsafe { within(&stream.context, || memory::alloc_from(pool, queue, bytes)) }
    }

    unsafe fn peer_possible(&self, context: &ContextRef, peer: &ContextRef) -> DriverResult<bool> {
        peers::possible(context, peer)
    }

    unsafe fn peer_enable(&self, context: &ContextRef, peer: &ContextRef) -> DriverResult {
        // SAFETY: promise 1.
        unsafe { peers::enable(&self.shared.pools, context, peer) }
    }

    unsafe fn peer_copy_async(
        &self,
        stream: &StreamRef,
        to: (&ContextRef, DevicePtr),
        from: (&ContextRef, DevicePtr),
        bytes: usize,
    ) -> DriverResult {
        // SAFETY: promises 1 to 3.
        unsafe { within(&stream.context, || peers::copy(stream.handle as CUstream, to, from, bytes)) }
    }

    unsafe fn device_uuid(&self, context: &ContextRef) -> DriverResult<DeviceUuid> {
        processes::uuid(context.ordinal)
    }

    unsafe fn exportable_pool_create(&self, context: &ContextRef) -> DriverResult<u64> {
        // SAFETY: promise 1.
        unsafe { self.shared.pools.create_exportable(context) }
    }

    #[cfg(unix)]
    unsafe fn pool_export(&self, pool: &PoolRef) -> DriverResult<OwnedFd> {
        // SAFETY: promise 1, and an exportable pool, as this method's own section says.
        unsafe { within(&pool.context, || processes::export_pool(pool.handle as CUmemoryPool)) }
    }

    #[cfg(unix)]
    unsafe fn pool_import(&self, context: &ContextRef, descriptor: BorrowedFd<'_>) -> DriverResult<u64> {
        // SAFETY: promise 1.
        unsafe { self.shared.pools.import(context, descriptor) }
    }

    unsafe fn pool_of(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<u64> {
        // SAFETY: promise 1; the memory is live.
        unsafe { within(context, || processes::pool_of(ptr)) }
    }

    unsafe fn allocation_bytes(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<usize> {
        // SAFETY: promise 1; the memory is live.
        unsafe { within(context, || processes::allocation_bytes(ptr)) }
    }

    unsafe fn pointer_export(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<PointerData> {
        // SAFETY: promise 1; the start of an allocation from an exportable pool.
        unsafe { within(context, || processes::export_pointer(ptr)) }
    }

    unsafe fn pointer_import(&self, pool: &PoolRef, data: &PointerData) -> DriverResult<DevicePtr> {
        // SAFETY: promises 1 and 8; the pool is an imported one, and the data was exported from it.
        unsafe { within(&pool.context, || processes::import_pointer(pool.handle as CUmemoryPool, data)) }
    }

    unsafe fn interprocess_event_create(&self, context: &ContextRef, _id: EventId) -> DriverResult<u64> {
        // SAFETY: promise 1.
        unsafe { within(context, processes::create_event) }
    }

    unsafe fn event_export(&self, event: &EventRef) -> DriverResult<EventData> {
        // SAFETY: promise 1; an interprocess event of this process.
        unsafe { within(&event.context, || processes::export_event(event.handle as CUevent)) }
    }

    unsafe fn event_import(&self, context: &ContextRef, _id: EventId, data: &EventData) -> DriverResult<u64> {
        // SAFETY: promise 1.
        unsafe { within(context, || processes::import_event(data)) }
    }
}
