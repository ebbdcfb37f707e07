//! The driver's methods: each checks what it is given and changes the state, or runs what it waits for.

use antecede::driver::{
    Access, ContextRef, DeviceAttribute, DevicePtr, DeviceUuid, Driver, DriverId, DriverResult, EventData, EventId,
    EventRef, HostFn, Launch, LoadedModule, ModuleDecl, ModuleRef, Pattern, PointerData, PoolAttribute, PoolRef, Space,
    StreamId, StreamKind, StreamRef,
};
#[cfg(unix)]
use std::os::fd::{BorrowedFd, OwnedFd};

use super::host::{Span, Work};
use super::launch::Kernel;
use crate::error::{invalid_handle, out_of_memory};
use crate::memory::{Place, Request};
use crate::submit::Goal;
use crate::{Call, Sim};

// SAFETY: the promises of the trait, by number:
// 1. `Queues` runs only the head of a stream, and appends under the lock.
// 2. A wait holds the point of the latest record at that time; its operation is not ready before that is reached.
// 3. `force` returns `Ok`, and queries say `true`, only when their points are reached; the lock makes the effects seen.
// 4. `Memory` hands out whole arenas' blocks, rounded up to 256 bytes and cut without overlap, once their free is reached
//    or ordered before; arenas are initialised.
// 5. `Work` has spans of the checked ranges only, and is dropped once run. Parameters are copied in `Kernel::prepare`.
// 6. Nothing here panics by itself; twins are caught.
// 7. There is no current context; everything is found through the handles.
// 8. `Shared::call` runs the whole method or nothing of it. Methods that create are never struck afterwards.
// 9. The id is made with `Shared`; contexts and their legacy streams are made once for each ordinal.
// 10. No PTX is run. Functions are those of the declaration.
// 11. `Queues::submit` holds every operation on the legacy stream back until the ends of the blocking streams are reached,
//     and every later one on these until it is.
// 12. `Queue` hands the work of each operation out once, to be run without the lock.
// 13. Submitting only takes the lock, which is never held while an operation runs, nor while another process is waited for.
// 14. Both map one file, which is sealed against shrinking; a mapping is let go of when its pool is destroyed, which no
//     import outlives, and everything submitted before has taken effect. A wait on an imported event takes the number of
//     records that is on the exporter's board then, and is not ready before the board says that those have taken effect,
//     which is written after they have (release, acquire); where the exporter is gone, nothing of it takes effect any more.
unsafe impl Driver for Sim {
    fn id(&self) -> DriverId {
        self.shared.id()
    }

    fn name(&self) -> &'static str {
        "sim"
    }

    fn device_count(&self) -> DriverResult<u32> {
        self.shared.change(Call::DeviceCount, |state| Ok(state.contexts.len() as u32))
    }

    unsafe fn context_open(&self, ordinal: u32) -> DriverResult<ContextRef> {
        self.shared.change(Call::ContextOpen, |state| state.open_context(ordinal))
    }

    unsafe fn context_close(&self, context: &ContextRef) -> DriverResult {
        let call = Call::ContextClose;
        self.shared.call(call, || {
            let last = self.shared.lock().context(call, context)?.opened == 1;
            if last {
                self.force_context(call, context)?;
            }
            self.shared.lock().context(call, context)?.opened -= 1;
            Ok(())
        })
    }

    unsafe fn context_sync(&self, context: &ContextRef) -> DriverResult {
        let call = Call::ContextSync;
        self.shared.call(call, || {
            self.shared.lock().context(call, context)?;
            self.force_context(call, context)?;
            self.synchronised(call, context)
        })
    }

    unsafe fn stream_create(
        &self,
        context: &ContextRef,
        id: StreamId,
        kind: StreamKind,
        priority: i32,
        _name: &'static str,
    ) -> DriverResult<u64> {
        self.shared.change(Call::StreamCreate, |state| state.create_stream(context, id, kind, priority))
    }

    unsafe fn stream_destroy(&self, stream: &StreamRef) -> DriverResult {
        self.shared.change(Call::StreamDestroy, |state| state.destroy_stream(stream))
    }

    unsafe fn stream_sync(&self, stream: &StreamRef) -> DriverResult {
        let call = Call::StreamSync;
        self.shared.call(call, || {
            let goal = self.shared.lock().goal_of(call, stream)?;
            self.shared.force(call, &goal)?;
            self.synchronised(call, &stream.context)
        })
    }

    unsafe fn stream_query(&self, stream: &StreamRef) -> DriverResult<bool> {
        let call = Call::StreamQuery;
        self.shared.call(call, || {
            let goal = self.shared.lock().goal_of(call, stream)?;
            self.shared.advance(&goal);
            let mut state = self.shared.lock();
            state.context(call, &stream.context)?;
            Ok(state.queues.all_reached(&goal))
        })
    }

    unsafe fn event_create(&self, context: &ContextRef, id: EventId) -> DriverResult<u64> {
        self.shared.change(Call::EventCreate, |state| state.create_event(context, id))
    }

    unsafe fn event_destroy(&self, event: &EventRef) -> DriverResult {
        self.shared.change(Call::EventDestroy, |state| state.destroy_event(event))
    }

    unsafe fn event_record(&self, event: &EventRef, stream: &StreamRef) -> DriverResult {
        self.shared.submit(Call::EventRecord, |state| state.record(event, stream))
    }

    unsafe fn event_wait(&self, stream: &StreamRef, event: &EventRef) -> DriverResult {
        self.shared.submit(Call::EventWait, |state| state.wait(stream, event))
    }

    unsafe fn event_sync(&self, event: &EventRef) -> DriverResult {
        let call = Call::EventSync;
        self.shared.call(call, || {
            let goal = self.shared.lock().goal_of_event(call, event)?;
            match goal {
                None => {}
                Some(Goal::Here(point)) => self.shared.force(call, &[point])?,
                Some(Goal::Beyond(beyond)) => self.shared.await_beyond(&beyond),
            }
            self.synchronised(call, &event.context)
        })
    }

    unsafe fn event_query(&self, event: &EventRef) -> DriverResult<bool> {
        let call = Call::EventQuery;
        self.shared.call(call, || {
            let goal = self.shared.lock().goal_of_event(call, event)?;
            if let Some(Goal::Here(point)) = goal {
                self.shared.advance(&[point]);
            }
            let mut state = self.shared.lock();
            state.context(call, &event.context)?;
            Ok(match goal {
                None => true,
                Some(Goal::Here(point)) => state.queues.reached(point),
                Some(Goal::Beyond(beyond)) => {
                    let reached = beyond.is_reached();
                    if !reached {
                        state.demand(&[beyond]);
                    }
                    reached
                }
            })
        })
    }

    unsafe fn alloc_async(&self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        self.shared.submit(Call::Alloc, |state| state.allocate(stream, bytes))
    }

    unsafe fn free_async(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        self.shared.submit(Call::Free, |state| state.free(stream, ptr))
    }

    unsafe fn pinned_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        self.allocate_now(Call::PinnedAlloc, context, Place::Pinned, bytes)
    }

    unsafe fn pinned_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: every use has completed (the caller's promise 4).
        unsafe { self.free_now(Call::PinnedFree, context, Place::Pinned, ptr) }
    }

    unsafe fn fill_async(&self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult {
        self.shared.submit(Call::Fill, |state| state.fill(stream, dst, pattern, count))
    }

    unsafe fn copy_async(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        self.shared.submit(Call::Copy, |state| state.copy(stream, dst, src, bytes))
    }

    unsafe fn module_load(&self, context: &ContextRef, decl: &'static ModuleDecl) -> DriverResult<LoadedModule> {
        self.shared.change(Call::ModuleLoad, |state| state.load(context, decl))
    }

    unsafe fn module_unload(&self, module: &ModuleRef) -> DriverResult {
        let call = Call::ModuleUnload;
        self.shared.call(call, || {
            self.shared.lock().module(call, module)?;
            self.force_context(call, &module.context)?;
            self.shared.lock().unload(module)
        })
    }

    unsafe fn launch(&self, stream: &StreamRef, launch: &Launch<'_>) -> DriverResult {
        self.shared.submit(Call::Launch, |state| {
            let queue = state.usable(Call::Launch, stream)?;
            // SAFETY: `launch` says so of its `params`, and the caller promises it (6).
            let kernel = unsafe { Kernel::prepare(state, stream, launch) }?;
            state.queues.submit(queue, Vec::new(), Work::launch(kernel));
            Ok(())
        })
    }

    unsafe fn stream_adopt(&self, context: &ContextRef, handle: u64, id: StreamId) -> DriverResult<StreamKind> {
        self.shared.change(Call::StreamAdopt, |state| state.adopt(context, handle, id))
    }

    unsafe fn stream_is_capturing(&self, stream: &StreamRef) -> DriverResult<bool> {
        let call = Call::StreamIsCapturing;
        self.shared.change(call, |state| {
            let queue = state.stream(call, stream)?;
            state.is_capturing(call, &stream.context, (queue, stream.kind))
        })
    }

    unsafe fn priority_range(&self, context: &ContextRef) -> DriverResult<(i32, i32)> {
        self.shared.change(Call::PriorityRange, |state| state.priority_range(context))
    }

    unsafe fn host_fn(&self, stream: &StreamRef, function: HostFn, accesses: &[Access]) -> DriverResult {
        self.shared.submit(Call::HostFn, |state| {
            let queue = state.usable(Call::HostFn, stream)?;
            state.check_host_accesses(accesses)?;
            state.queues.submit(queue, Vec::new(), Work::host(function));
            Ok(())
        })
    }

    unsafe fn attribute(&self, context: &ContextRef, attribute: DeviceAttribute) -> DriverResult<i32> {
        self.shared.change(Call::Attribute, |state| state.attribute(context, attribute))
    }

    unsafe fn managed_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        self.allocate_now(Call::ManagedAlloc, context, Place::Managed, bytes)
    }

    unsafe fn managed_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: every use has completed (the caller's promise 4).
        unsafe { self.free_now(Call::ManagedFree, context, Place::Managed, ptr) }
    }

    unsafe fn pool_create(&self, context: &ContextRef, space: Space) -> DriverResult<u64> {
        self.shared.change(Call::PoolCreate, |state| state.create_pool(context, space))
    }

    unsafe fn pool_destroy(&self, pool: &PoolRef) -> DriverResult {
        self.shared.change(Call::PoolDestroy, |state| state.destroy_pool(pool))
    }

    unsafe fn pool_trim(&self, pool: &PoolRef, keep: usize) -> DriverResult {
        self.shared.change(Call::PoolTrim, |state| state.trim_pool(pool, keep))
    }

    unsafe fn pool_attribute(&self, pool: &PoolRef, attribute: PoolAttribute) -> DriverResult<u64> {
        self.shared.change(Call::PoolAttribute, |state| state.pool_attribute(pool, attribute))
    }

    unsafe fn pool_set(&self, pool: &PoolRef, attribute: PoolAttribute, value: u64) -> DriverResult {
        self.shared.change(Call::PoolSet, |state| state.set_pool(pool, attribute, value))
    }

    unsafe fn pool_alloc_async(&self, stream: &StreamRef, pool: &PoolRef, bytes: usize) -> DriverResult<DevicePtr> {
        self.shared.submit(Call::PoolAlloc, |state| state.allocate_in(stream, pool, bytes))
    }

    unsafe fn peer_possible(&self, context: &ContextRef, peer: &ContextRef) -> DriverResult<bool> {
        self.shared.change(Call::PeerPossible, |state| state.peer_possible(context, peer))
    }

    unsafe fn peer_enable(&self, context: &ContextRef, peer: &ContextRef) -> DriverResult {
        self.shared.change(Call::PeerEnable, |state| state.enable_peer(context, peer))
    }

    unsafe fn peer_copy_async(
        &self,
        stream: &StreamRef,
        to: (&ContextRef, DevicePtr),
        from: (&ContextRef, DevicePtr),
        bytes: usize,
    ) -> DriverResult {
        self.shared.submit(Call::PeerCopy, |state| state.copy_between(stream, to, from, bytes))
    }

    unsafe fn device_uuid(&self, context: &ContextRef) -> DriverResult<DeviceUuid> {
        self.shared.change(Call::DeviceUuid, |state| state.device_uuid(context))
    }

    unsafe fn exportable_pool_create(&self, context: &ContextRef) -> DriverResult<u64> {
        self.shared.change(Call::ExportablePoolCreate, |state| state.create_exportable_pool(context))
    }

    #[cfg(unix)]
    unsafe fn pool_export(&self, pool: &PoolRef) -> DriverResult<OwnedFd> {
        self.shared.change(Call::PoolExport, |state| state.export_pool(pool))
    }

    #[cfg(unix)]
    unsafe fn pool_import(&self, context: &ContextRef, descriptor: BorrowedFd<'_>) -> DriverResult<u64> {
        let call = Call::PoolImport;
        self.shared.change(call, |state| {
            let own = descriptor.try_clone_to_owned();
            let own = own.map_err(|cause| invalid_handle(call, format!("the descriptor is none: {cause}")))?;
            state.import_pool(context, &own.into())
        })
    }

    unsafe fn pool_of(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<u64> {
        self.shared.change(Call::PoolOf, |state| state.pool_of(context, ptr))
    }

    unsafe fn allocation_bytes(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<usize> {
        self.shared.change(Call::AllocationBytes, |state| state.allocation_bytes(context, ptr))
    }

    unsafe fn pointer_export(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<PointerData> {
        self.shared.change(Call::PointerExport, |state| state.export_pointer(context, ptr))
    }

    unsafe fn pointer_import(&self, pool: &PoolRef, data: &PointerData) -> DriverResult<DevicePtr> {
        self.shared.change(Call::PointerImport, |state| state.import_pointer(pool, data))
    }

    unsafe fn interprocess_event_create(&self, context: &ContextRef, id: EventId) -> DriverResult<u64> {
        self.shared.call(Call::InterprocessEventCreate, || self.shared.create_interprocess_event(context, id))
    }

    unsafe fn event_export(&self, event: &EventRef) -> DriverResult<EventData> {
        self.shared.change(Call::EventExport, |state| state.export_event(event))
    }

    unsafe fn event_import(&self, context: &ContextRef, id: EventId, data: &EventData) -> DriverResult<u64> {
        self.shared.call(Call::EventImport, || self.shared.import_event(context, id, data))
    }
}

impl Sim {
    /// Allocates memory that is in no pool, usable at once.
    fn allocate_now(&self, call: Call, context: &ContextRef, place: Place, bytes: usize) -> DriverResult<DevicePtr> {
        self.shared.change(call, |state| {
            state.context(call, context)?;
            state.fits(call, place, bytes)?;
            let span = state.memory.allocate(&Request { place, source: None, bytes }, &state.queues);
            let span = span.ok_or_else(|| out_of_memory(call, bytes))?;
            // SAFETY: 1: the arenas live as long as `self.shared`. 2: the memory was handed to nobody since its last
            // free, before which everything that used it had completed.
            unsafe { poison_now(span, state.poison.fresh) };
            Ok(span.ptr())
        })
    }

    /// Frees such memory, when everything in the context has taken effect.
    ///
    /// # Safety
    /// 1. Every use of the memory has completed.
    unsafe fn free_now(&self, call: Call, context: &ContextRef, place: Place, ptr: DevicePtr) -> DriverResult {
        self.shared.call(call, || {
            self.shared.lock().unpooled(call, context, place, ptr)?;
            self.force_context(call, context)?;
            let mut state = self.shared.lock();
            let span = state.unpooled(call, context, place, ptr)?;
            state.memory.free(ptr, None);
            // SAFETY: 1: the arenas live as long as `self.shared`. 2: every use has completed (1).
            unsafe { poison_now(span, state.poison.freed) };
            Ok(())
        })
    }

    /// The end of a sync: the context must not have failed, and pools let go of what they need not keep.
    fn synchronised(&self, call: Call, context: &ContextRef) -> DriverResult {
        let mut state = self.shared.lock();
        state.context(call, context)?;
        state.release_unused(context);
        Ok(())
    }

    /// Runs everything that has been submitted to the context's streams.
    fn force_context(&self, call: Call, context: &ContextRef) -> DriverResult {
        let goal = self.shared.lock().queues.ends(Some(context.id));
        self.shared.force(call, &goal)
    }
}

/// # Safety
/// 1. The span's arena is not dropped before it returns.
/// 2. The span is not otherwise accessed until it returns.
unsafe fn poison_now(span: Span, byte: u8) {
    // SAFETY: 1 and 2 are the caller's, 3 is plain. Fills do not fail.
    let _filled = unsafe { Work::fill(span, Pattern::D8(byte)).run() };
}
