//! Every driver call, forwarded and noted.

use antecede::driver::{
    Access, ContextRef, DevicePtr, Driver, DriverId, DriverResult, EventId, EventRef, Launch, LoadedModule, ModuleDecl,
    ModuleRef, Pattern, StreamId, StreamKind, StreamRef,
};

use super::Trace;
use crate::Call;
use crate::draft::Draft;

/// Forwards each method to the inner driver once, with the same arguments, and returns its answer.
// SAFETY: promises 1 to 5, 7, 8 and 10 are the inner driver's, as calls and answers pass unchanged.
// 6. Nothing here panics short of a failing allocation of host memory; a poisoned lock is used regardless.
// 9. `id` was issued for this trace and is shared by its clones; contexts are the inner driver's.
// 11. The lock is held across calls that do not wait for the device (the inner driver's promise 11, and queries and
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
        self.recorder.within(Call::EventRecord, run, |draft, _| {
            draft.stream(stream);
            draft.event(event.id);
        })
    }

    unsafe fn event_wait(&self, stream: &StreamRef, event: &EventRef) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.event_wait(stream, event) };
        self.recorder.within(Call::EventWait, run, |draft, _| {
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
        // Freed from the beginning on: another thread can be given the address before the end is noted.
        let begin = |draft: &mut Draft<'_>| {
            draft.context(context.id);
            draft.freed(ptr)
        };
        let end = |draft: &mut Draft<'_>, freed: Option<&()>| {
            if freed.is_none() {
                draft.not_freed(ptr);
            }
        };
        self.recorder.around(Call::PinnedFree, run, begin, end)
    }

    unsafe fn fill_async(&self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.fill_async(stream, dst, pattern, count) };
        self.recorder.within(Call::Fill, run, |draft, _| {
            draft.stream(stream);
            draft.access(Access { ptr: dst, bytes: pattern.width().saturating_mul(count), write: true });
        })
    }

    unsafe fn copy_async(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        // SAFETY: as in `context_open`.
        let run = || unsafe { self.inner.copy_async(stream, dst, src, bytes) };
        self.recorder.within(Call::Copy, run, |draft, _| {
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
        self.recorder.within(Call::Launch, run, |draft, _| {
            draft.stream(stream);
            draft.kernel(launch.decl.name);
            launch.accesses.iter().for_each(|&access| draft.access(access));
        })
    }
}

/// The end of a call of which there is nothing more to note.
fn nothing<T>(_: &mut Draft<'_>, _: Option<&T>) {}
