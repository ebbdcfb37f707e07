//! The driver's methods: each checks what it is given and changes the state, or runs what it waits for.

use antecede::driver::{
    ContextRef, DevicePtr, Driver, DriverId, DriverResult, EventId, EventRef, Launch, LoadedModule, ModuleDecl,
    ModuleRef, Pattern, StreamId, StreamKind, StreamRef,
};

use super::host::{Span, Work};
use super::launch::Kernel;
use crate::error::{invalid_value, out_of_memory};
use crate::memory::Space;
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
// 9. The id is made with `Shared`; contexts are made once for each ordinal.
// 10. No PTX is run. Functions are those of the declaration.
// 11. Submitting only takes the lock, which is never held while an operation runs.
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
            self.shared.lock().context(call, context).map(drop)
        })
    }

    unsafe fn stream_create(
        &self,
        context: &ContextRef,
        id: StreamId,
        kind: StreamKind,
        _priority: i32,
        _name: &'static str,
    ) -> DriverResult<u64> {
        self.shared.change(Call::StreamCreate, |state| state.create_stream(context, id, kind))
    }

    unsafe fn stream_destroy(&self, stream: &StreamRef) -> DriverResult {
        self.shared.change(Call::StreamDestroy, |state| state.destroy_stream(stream))
    }

    unsafe fn stream_sync(&self, stream: &StreamRef) -> DriverResult {
        let call = Call::StreamSync;
        self.shared.call(call, || {
            let end = self.shared.lock().end_of(call, stream)?;
            self.shared.force(call, &[end])?;
            self.shared.lock().context(call, &stream.context).map(drop)
        })
    }

    unsafe fn stream_query(&self, stream: &StreamRef) -> DriverResult<bool> {
        let call = Call::StreamQuery;
        self.shared.call(call, || {
            let end = self.shared.lock().end_of(call, stream)?;
            self.shared.advance(end);
            let mut state = self.shared.lock();
            state.context(call, &stream.context)?;
            Ok(state.queues.reached(end))
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
            let latest = self.shared.lock().event(call, event)?.latest.clone();
            if let Some(record) = latest {
                self.shared.force(call, &[record.point])?;
            }
            self.shared.lock().context(call, &event.context).map(drop)
        })
    }

    unsafe fn event_query(&self, event: &EventRef) -> DriverResult<bool> {
        let call = Call::EventQuery;
        self.shared.call(call, || {
            let latest = self.shared.lock().event(call, event)?.latest.clone();
            let Some(record) = latest else { return Ok(true) };
            self.shared.advance(record.point);
            let mut state = self.shared.lock();
            state.context(call, &event.context)?;
            Ok(state.queues.reached(record.point))
        })
    }

    unsafe fn alloc_async(&self, stream: &StreamRef, bytes: usize) -> DriverResult<DevicePtr> {
        self.shared.submit(Call::Alloc, |state| state.allocate(stream, bytes))
    }

    unsafe fn free_async(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        self.shared.submit(Call::Free, |state| state.free(stream, ptr))
    }

    unsafe fn pinned_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        let call = Call::PinnedAlloc;
        self.shared.change(call, |state| {
            state.context(call, context)?;
            if bytes == 0 {
                return Err(invalid_value(call, "no bytes"));
            }
            let span = state.memory.allocate(Space::Pinned, bytes, None, &state.queues);
            let span = span.ok_or_else(|| out_of_memory(call, bytes))?;
            // SAFETY: 1: the arenas live as long as `self.shared`. 2: the memory was handed to nobody since its last
            // free, before which everything that used it had completed.
            unsafe { poison_now(span, state.poison.fresh) };
            Ok(span.ptr())
        })
    }

    unsafe fn pinned_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult {
        let call = Call::PinnedFree;
        self.shared.call(call, || {
            self.shared.lock().pinned(call, context, ptr)?;
            self.force_context(call, context)?;
            let mut state = self.shared.lock();
            let span = state.pinned(call, context, ptr)?;
            state.memory.free(ptr, None);
            // SAFETY: 1: the arenas live as long as `self.shared`. 2: every use has completed (the caller's promise 4).
            unsafe { poison_now(span, state.poison.freed) };
            Ok(())
        })
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
            state.stream(Call::Launch, stream)?;
            // SAFETY: `launch` says so of its `params`, and the caller promises it (6).
            let kernel = unsafe { Kernel::prepare(state, stream, launch) }?;
            state.queues.submit(stream.id, Vec::new(), Work::launch(kernel));
            Ok(())
        })
    }
}

impl Sim {
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
    // SAFETY: 1 and 2 are the caller's. Fills do not fail.
    let _filled = unsafe { Work::fill(span, Pattern::D8(byte)).run() };
}
