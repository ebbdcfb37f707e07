//! Every driver call, forwarded and noted.

#[cfg(unix)]
use std::os::fd::{BorrowedFd, OwnedFd};

use antecede::driver::{
    Access, ContextRef, DeviceAttribute, DevicePtr, DeviceUuid, Driver, DriverId, DriverResult, EventData, EventId,
    EventRef, HostFn, Launch, LoadedModule, ModuleDecl, ModuleRef, Pattern, PointerData, PoolAttribute, PoolRef, Space,
    StreamId, StreamKind, StreamRef,
};

use super::Trace;
use crate::Call;
use crate::draft::Draft;

/// Forwards each method to the inner driver once, with the same arguments, and returns its answer.
// SAFETY: promises 1 to 5, 7, 8, 10, 11 and 14 are the inner driver's, as calls and answers pass unchanged.
// 6. Nothing here panics short of a failing allocation of host memory; a poisoned lock is used regardless.
// 9. `id` was issued for this trace and is shared by its clones; contexts are the inner driver's.
// 12. The inner driver calls the function, once; the lock is held across calls that do not wait for it only (13).
// 13. The lock is held across calls that do not wait for the device (the inner driver's promise 13, and queries and
//     creations, which return at once); it is not held across any other call.
unsafe impl Driver for Trace {
    fn id(&self) -> DriverId {
        self.id
    }

    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn device_count(&self) -> DriverResult<u32> {
        self.recorder.within(Call::DeviceCount, || self.inner.device_count(), |_, _| {})
    }

    fn note_host_access(&self, access: Access) {
        let call = if access.write { Call::HostWrite } else { Call::HostRead };
        self.recorder.host(call, || self.inner.note_host_access(access), |draft| draft.access(access));
    }

    unsafe fn context_open(&self, ordinal: u32) -> DriverResult<ContextRef> {
        // SAFETY: the caller's promises are the inner driver's; the same in every method below.
        let run = || unsafe { self.inner.context_open(ordinal) };
        let end = |draft: &mut Draft<'_>, opened: Option<&ContextRef>| {
            if let Some(opened) = opened {
                draft.context(opened.id);
            }
        };
        self.recorder.around(Call::ContextOpen, run, |_| {}, end)
    }

    unsafe fn context_close(&self, context: &ContextRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.context_close(context) };
        self.recorder.around(Call::ContextClose, run, |draft| draft.context(context.id), nothing)
    }

    unsafe fn context_sync(&self, context: &ContextRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.context_sync(context) };
        self.recorder.around(Call::ContextSync, run, |draft| draft.context(context.id), nothing)
    }

    unsafe fn stream_create(
        &self,
        context: &ContextRef,
        id: StreamId,
        kind: StreamKind,
        priority: i32,
        name: &'static str,
    ) -> DriverResult<u64> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.stream_create(context, id, kind, priority, name) };
        self.recorder.within(Call::StreamCreate, run, |draft, created| {
            draft.context(context.id);
            if let Some(&handle) = created {
                draft.name(id, name);
                draft.stream(&StreamRef { id, context: *context, handle, kind });
            }
        })
    }

    unsafe fn stream_destroy(&self, stream: &StreamRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.stream_destroy(stream) };
        self.recorder.within(Call::StreamDestroy, run, |draft, destroyed| {
            draft.stream(stream);
            if destroyed.is_some() {
                draft.unname(stream.id);
            }
        })
    }

    unsafe fn stream_sync(&self, stream: &StreamRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.stream_sync(stream) };
        self.recorder.around(Call::StreamSync, run, |draft| draft.stream(stream), nothing)
    }

    unsafe fn stream_query(&self, stream: &StreamRef) -> DriverResult<bool> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.stream_query(stream) };
        self.recorder.within(Call::StreamQuery, run, |draft, answer| {
            draft.stream(stream);
            draft.answered(answer);
        })
    }

    unsafe fn event_create(&self, context: &ContextRef, id: EventId) -> DriverResult<u64> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.event_create(context, id) };
        self.recorder.within(Call::EventCreate, run, |draft, _| {
            draft.context(context.id);
            draft.event(id);
        })
    }

    unsafe fn event_destroy(&self, event: &EventRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.event_destroy(event) };
        self.recorder.within(Call::EventDestroy, run, |draft, _| {
            draft.context(event.context.id);
            draft.event(event.id);
        })
    }

    unsafe fn event_record(&self, event: &EventRef, stream: &StreamRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.event_record(event, stream) };
        self.submit(Call::EventRecord, stream, run, |draft, _| {
            draft.stream(stream);
            draft.event(event.id);
        })
    }

    unsafe fn event_wait(&self, stream: &StreamRef, event: &EventRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.event_wait(stream, event) };
        self.submit(Call::EventWait, stream, run, |draft, _| {
            draft.stream(stream);
            draft.event(event.id);
        })
    }

    unsafe fn event_sync(&self, event: &EventRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.event_sync(event) };
        let begin = |draft: &mut Draft<'_>| {
            draft.context(event.context.id);
            draft.event(event.id);
        };
        self.recorder.around(Call::EventSync, run, begin, nothing)
    }

    unsafe fn event_query(&self, event: &EventRef) -> DriverResult<bool> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.event_query(event) };
        self.recorder.within(Call::EventQuery, run, |draft, answer| {
            draft.context(event.context.id);
            draft.event(event.id);
            draft.answered(answer);
        })
    }

    unsafe fn alloc_async(&self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.alloc_async(stream, bytes) };
        self.recorder.within(Call::Alloc, run, |draft, block| {
            draft.stream(stream);
            draft.allocated(block, bytes);
        })
    }

    unsafe fn free_async(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.free_async(stream, ptr) };
        self.recorder.within(Call::Free, run, |draft, freed| {
            draft.stream(stream);
            draft.freed(ptr);
            if freed.is_none() {
                draft.not_freed(ptr);
            }
        })
    }

    unsafe fn pinned_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pinned_alloc(context, bytes) };
        self.recorder.within(Call::PinnedAlloc, run, |draft, block| {
            draft.context(context.id);
            draft.allocated(block, bytes);
        })
    }

    unsafe fn pinned_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pinned_free(context, ptr) };
        self.around_free(Call::PinnedFree, context, ptr, run)
    }

    unsafe fn fill_async(&self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.fill_async(stream, dst, pattern, count) };
        self.submit(Call::Fill, stream, run, |draft, _| {
            draft.stream(stream);
            draft.access(Access { ptr: dst, bytes: pattern.width().saturating_mul(count), write: true });
        })
    }

    unsafe fn copy_async(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.copy_async(stream, dst, src, bytes) };
        self.submit(Call::Copy, stream, run, |draft, _| {
            draft.stream(stream);
            draft.access(Access { ptr: src, bytes, write: false });
            draft.access(Access { ptr: dst, bytes, write: true });
        })
    }

    unsafe fn module_load(&self, context: &ContextRef, decl: &'static ModuleDecl) -> DriverResult<LoadedModule> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.module_load(context, decl) };
        self.recorder.around(Call::ModuleLoad, run, |draft| draft.context(context.id), nothing)
    }

    unsafe fn module_unload(&self, module: &ModuleRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.module_unload(module) };
        self.recorder.around(Call::ModuleUnload, run, |draft| draft.context(module.context.id), nothing)
    }

    unsafe fn launch(&self, stream: &StreamRef, launch: &Launch<'_>) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.launch(stream, launch) };
        self.submit(Call::Launch, stream, run, |draft, _| {
            draft.stream(stream);
            draft.kernel(launch.decl.name);
            launch.accesses.iter().for_each(|&access| draft.access(access));
        })
    }

    unsafe fn stream_adopt(&self, context: &ContextRef, handle: u64, id: StreamId) -> DriverResult<StreamKind> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.stream_adopt(context, handle, id) };
        self.recorder.within(Call::StreamAdopt, run, |draft, kind| {
            draft.context(context.id);
            if let Some(&kind) = kind {
                draft.stream(&StreamRef { id, context: *context, handle, kind });
            }
        })
    }

    unsafe fn stream_is_capturing(&self, stream: &StreamRef) -> DriverResult<bool> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.stream_is_capturing(stream) };
        self.recorder.within(Call::StreamIsCapturing, run, |draft, _| draft.stream(stream))
    }

    unsafe fn priority_range(&self, context: &ContextRef) -> DriverResult<(i32, i32)> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.priority_range(context) };
        self.recorder.within(Call::PriorityRange, run, |draft, _| draft.context(context.id))
    }

    unsafe fn host_fn(&self, stream: &StreamRef, function: HostFn, accesses: &[Access]) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.host_fn(stream, function, accesses) };
        self.submit(Call::HostFn, stream, run, |draft, _| {
            draft.stream(stream);
            accesses.iter().for_each(|&access| draft.access(access));
        })
    }

    unsafe fn attribute(&self, context: &ContextRef, attribute: DeviceAttribute) -> DriverResult<i32> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.attribute(context, attribute) };
        self.recorder.within(Call::Attribute, run, |draft, _| draft.context(context.id))
    }

    unsafe fn managed_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.managed_alloc(context, bytes) };
        self.recorder.within(Call::ManagedAlloc, run, |draft, block| {
            draft.context(context.id);
            draft.allocated(block, bytes);
        })
    }

    unsafe fn managed_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.managed_free(context, ptr) };
        self.around_free(Call::ManagedFree, context, ptr, run)
    }

    unsafe fn pool_create(&self, context: &ContextRef, space: Space) -> DriverResult<u64> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pool_create(context, space) };
        self.recorder.within(Call::PoolCreate, run, |draft, _| draft.context(context.id))
    }

    unsafe fn pool_destroy(&self, pool: &PoolRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pool_destroy(pool) };
        self.recorder.around(Call::PoolDestroy, run, |draft| draft.context(pool.context.id), nothing)
    }

    unsafe fn pool_trim(&self, pool: &PoolRef, keep: usize) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pool_trim(pool, keep) };
        self.recorder.around(Call::PoolTrim, run, |draft| draft.context(pool.context.id), nothing)
    }

    unsafe fn pool_attribute(&self, pool: &PoolRef, attribute: PoolAttribute) -> DriverResult<u64> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pool_attribute(pool, attribute) };
        self.recorder.within(Call::PoolAttribute, run, |draft, _| draft.context(pool.context.id))
    }

    unsafe fn pool_set(&self, pool: &PoolRef, attribute: PoolAttribute, value: u64) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pool_set(pool, attribute, value) };
        self.recorder.within(Call::PoolSet, run, |draft, _| draft.context(pool.context.id))
    }

    unsafe fn pool_alloc_async(&self, stream: &StreamRef, pool: &PoolRef, bytes: usize) -> DriverResult<DevicePtr> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pool_alloc_async(stream, pool, bytes) };
        self.recorder.within(Call::PoolAlloc, run, |draft, block| {
            draft.stream(stream);
            draft.allocated(block, bytes);
        })
    }

    unsafe fn peer_possible(&self, context: &ContextRef, peer: &ContextRef) -> DriverResult<bool> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.peer_possible(context, peer) };
        self.recorder.within(Call::PeerPossible, run, |draft, _| draft.context(context.id))
    }

    unsafe fn peer_enable(&self, context: &ContextRef, peer: &ContextRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.peer_enable(context, peer) };
        self.recorder.around(Call::PeerEnable, run, |draft| draft.context(context.id), nothing)
    }

    unsafe fn peer_copy_async(
        &self,
        stream: &StreamRef,
        to: (&ContextRef, DevicePtr),
        from: (&ContextRef, DevicePtr),
        bytes: usize,
    ) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.peer_copy_async(stream, to, from, bytes) };
        self.submit(Call::PeerCopy, stream, run, |draft, _| {
            draft.stream(stream);
            draft.access(Access { ptr: from.1, bytes, write: false });
            draft.access(Access { ptr: to.1, bytes, write: true });
        })
    }

    unsafe fn device_uuid(&self, context: &ContextRef) -> DriverResult<DeviceUuid> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.device_uuid(context) };
        self.recorder.within(Call::DeviceUuid, run, |draft, _| draft.context(context.id))
    }

    unsafe fn exportable_pool_create(&self, context: &ContextRef) -> DriverResult<u64> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.exportable_pool_create(context) };
        self.recorder.within(Call::ExportablePoolCreate, run, |draft, _| draft.context(context.id))
    }

    #[cfg(unix)]
    unsafe fn pool_export(&self, pool: &PoolRef) -> DriverResult<OwnedFd> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pool_export(pool) };
        self.recorder.within(Call::PoolExport, run, |draft, _| draft.context(pool.context.id))
    }

    #[cfg(unix)]
    unsafe fn pool_import(&self, context: &ContextRef, descriptor: BorrowedFd<'_>) -> DriverResult<u64> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pool_import(context, descriptor) };
        self.recorder.around(Call::PoolImport, run, |draft| draft.context(context.id), nothing)
    }

    unsafe fn pool_of(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<u64> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pool_of(context, ptr) };
        self.recorder.within(Call::PoolOf, run, |draft, _| draft.context(context.id))
    }

    unsafe fn allocation_bytes(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<usize> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.allocation_bytes(context, ptr) };
        self.recorder.within(Call::AllocationBytes, run, |draft, bytes| {
            draft.context(context.id);
            draft.sized(ptr, bytes);
        })
    }

    unsafe fn pointer_export(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult<PointerData> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pointer_export(context, ptr) };
        self.recorder.within(Call::PointerExport, run, |draft, _| draft.context(context.id))
    }

    unsafe fn pointer_import(&self, pool: &PoolRef, data: &PointerData) -> DriverResult<DevicePtr> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.pointer_import(pool, data) };
        let end = |draft: &mut Draft<'_>, block: Option<&DevicePtr>| draft.imported(block);
        self.recorder.around(Call::PointerImport, run, |draft| draft.context(pool.context.id), end)
    }

    unsafe fn interprocess_event_create(&self, context: &ContextRef, id: EventId) -> DriverResult<u64> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.interprocess_event_create(context, id) };
        self.recorder.within(Call::InterprocessEventCreate, run, |draft, _| {
            draft.context(context.id);
            draft.event(id);
        })
    }

    unsafe fn event_export(&self, event: &EventRef) -> DriverResult<EventData> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.event_export(event) };
        self.recorder.within(Call::EventExport, run, |draft, _| {
            draft.context(event.context.id);
            draft.event(event.id);
        })
    }

    unsafe fn event_import(&self, context: &ContextRef, id: EventId, data: &EventData) -> DriverResult<u64> {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.event_import(context, id, data) };
        self.recorder.within(Call::EventImport, run, |draft, _| {
            draft.context(context.id);
            draft.event(id);
        })
    }
}

impl Trace {
    /// A free that may wait for the device. The block is freed from the beginning on: another thread can be given the
    /// address before the end is noted.
    fn around_free(
        &self,
        call: Call,
        context: &ContextRef,
        ptr: DevicePtr,
        run: impl FnOnce() -> DriverResult,
    ) -> DriverResult {
        let begin = |draft: &mut Draft<'_>| {
            draft.context(context.id);
            draft.freed(ptr);
        };
        let end = |draft: &mut Draft<'_>, freed: Option<&()>| {
            if freed.is_none() {
                draft.not_freed(ptr);
            }
        };
        self.recorder.around(call, run, begin, end)
    }
}

/// The end of a call of which there is nothing more to note.
fn nothing<T>(_: &mut Draft<'_>, _: Option<&T>) {}
