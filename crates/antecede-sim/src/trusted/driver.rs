//! The driver's methods: each checks what it is given and changes the state, or runs what it waits for.

use antecede::driver::{
    ContextRef, DevicePtr, Driver, DriverError, DriverId, DriverResult, ErrorKind, EventId, EventRef, Launch,
    LoadedModule, ModuleDecl, ModuleRef, Pattern, StreamId, StreamKind, StreamRef,
};

use super::host::{ALIGNMENT, Span, Work};
use super::launch::Kernel;
use crate::error::{error, invalid_handle, invalid_value};
use crate::memory::Space;
use crate::state::{EventEntry, ModuleEntry, State, StreamEntry};
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
        self.shared.call(Call::DeviceCount, || Ok(self.shared.lock().contexts.len() as u32))
    }

    unsafe fn context_open(&self, ordinal: u32) -> DriverResult<ContextRef> {
        self.shared.call(Call::ContextOpen, || {
            let mut state = self.shared.lock();
            let Some(context) = state.contexts.get_mut(ordinal as usize) else {
                return Err(error(Call::ContextOpen, ErrorKind::NoDevice, format!("no device {ordinal}")));
            };
            context.opened += 1;
            Ok(ContextRef { id: context.id, ordinal, handle: State::context_handle(ordinal) })
        })
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
        let call = Call::StreamCreate;
        self.shared.call(call, || {
            let mut state = self.shared.lock();
            state.context(call, context)?;
            match kind {
                // Without a legacy stream there is nothing that would order a blocking one.
                StreamKind::NonBlocking | StreamKind::Blocking => {}
                other => return Err(error(call, ErrorKind::NotSupported, format!("streams of kind {other:?}"))),
            }
            if state.queues.context(id).is_some() {
                return Err(invalid_value(call, format!("{id:?} is in use")));
            }
            let handle = state.stream_handles.issue();
            state.streams.insert(id, StreamEntry { context: *context, handle });
            state.queues.add(id, context.id);
            Ok(handle)
        })
    }

    unsafe fn stream_destroy(&self, stream: &StreamRef) -> DriverResult {
        self.shared.call(Call::StreamDestroy, || {
            let mut state = self.shared.lock();
            state.stream(Call::StreamDestroy, stream)?;
            state.streams.remove(&stream.id);
            state.stream_handles.give_back(stream.handle);
            state.queues.destroy(stream.id);
            Ok(())
        })
    }

    unsafe fn stream_sync(&self, stream: &StreamRef) -> DriverResult {
        let call = Call::StreamSync;
        self.shared.call(call, || {
            let end = self.shared.lock().live_stream(call, stream)?.queues.end(stream.id);
            self.shared.force(call, &[end])?;
            self.shared.lock().context(call, &stream.context).map(drop)
        })
    }

    unsafe fn stream_query(&self, stream: &StreamRef) -> DriverResult<bool> {
        let call = Call::StreamQuery;
        self.shared.call(call, || {
            let end = self.shared.lock().live_stream(call, stream)?.queues.end(stream.id);
            self.shared.advance(end);
            let mut state = self.shared.lock();
            state.context(call, &stream.context)?;
            Ok(state.queues.reached(end))
        })
    }

    unsafe fn event_create(&self, context: &ContextRef, id: EventId) -> DriverResult<u64> {
        let call = Call::EventCreate;
        self.shared.call(call, || {
            let mut state = self.shared.lock();
            state.context(call, context)?;
            if state.events.contains_key(&id) {
                return Err(invalid_value(call, format!("{id:?} is in use")));
            }
            let handle = state.event_handles.issue();
            state.events.insert(id, EventEntry { context: *context, handle, latest: None });
            Ok(handle)
        })
    }

    unsafe fn event_destroy(&self, event: &EventRef) -> DriverResult {
        self.shared.call(Call::EventDestroy, || {
            let mut state = self.shared.lock();
            state.event(Call::EventDestroy, event)?;
            state.events.remove(&event.id);
            state.event_handles.give_back(event.handle);
            Ok(())
        })
    }

    unsafe fn event_record(&self, event: &EventRef, stream: &StreamRef) -> DriverResult {
        let call = Call::EventRecord;
        self.shared.submit(call, |state| {
            state.stream(call, stream)?;
            state.event(call, event)?;
            if event.context.id != stream.context.id {
                return Err(invalid_handle(call, "event and stream are of different contexts"));
            }
            let record = state.queues.record(stream.id);
            state.event(call, event)?.latest = Some(record);
            Ok(())
        })
    }

    unsafe fn event_wait(&self, stream: &StreamRef, event: &EventRef) -> DriverResult {
        let call = Call::EventWait;
        self.shared.submit(call, |state| {
            state.stream(call, stream)?;
            // An event that was never recorded holds nothing back.
            if let Some(record) = state.event(call, event)?.latest.clone() {
                state.queues.wait(stream.id, &record);
            }
            Ok(())
        })
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
        let call = Call::Alloc;
        self.shared.submit(call, |state| {
            state.stream(call, stream)?;
            let ordinal = stream.context.ordinal;
            let used = state.context(call, &stream.context)?.used;
            let after = rounded(bytes).and_then(|more| used.checked_add(more)).filter(|&sum| sum <= state.memory_limit);
            let State { memory, queues, .. } = state;
            let span = match after {
                _ if bytes == 0 => return Err(invalid_value(call, "no bytes")),
                Some(_) => memory.allocate(Space::Device(ordinal), bytes, Some(stream.id), queues),
                None => None,
            };
            let span = span.ok_or_else(|| out_of_memory(call, bytes))?;
            state.queues.submit(stream.id, Vec::new(), Work::fill(span, Pattern::D8(state.poison.fresh)));
            state.context(call, &stream.context)?.used = after.unwrap_or(used);
            Ok(span.ptr())
        })
    }

    unsafe fn free_async(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        let call = Call::Free;
        self.shared.submit(call, |state| {
            state.stream(call, stream)?;
            let Some((span, Space::Device(home))) = state.memory.allocation(ptr) else {
                return Err(invalid_value(call, format!("no device memory is allocated at {ptr:?}")));
            };
            let freed = state.queues.submit(stream.id, Vec::new(), Work::fill(span, Pattern::D8(state.poison.freed)));
            state.memory.free(ptr, Some(freed));
            if let Some(context) = state.contexts.get_mut(home as usize) {
                context.used = context.used.saturating_sub(rounded(span.len()).unwrap_or(0));
            }
            Ok(())
        })
    }

    unsafe fn pinned_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        let call = Call::PinnedAlloc;
        self.shared.call(call, || {
            let mut state = self.shared.lock();
            state.context(call, context)?;
            if bytes == 0 {
                return Err(invalid_value(call, "no bytes"));
            }
            let State { memory, queues, poison, .. } = &mut *state;
            let span = memory.allocate(Space::Pinned, bytes, None, queues).ok_or_else(|| out_of_memory(call, bytes))?;
            // SAFETY: 1: the arenas live as long as `self.shared`. 2: the memory was handed to nobody since its last
            // free, before which everything that used it had completed.
            unsafe { poison_now(span, poison.fresh) };
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
        let call = Call::Fill;
        self.shared.submit(call, |state| {
            state.stream(call, stream)?;
            if !dst.0.is_multiple_of(pattern.width() as u64) {
                return Err(invalid_value(call, format!("{dst:?} is not aligned to {} bytes", pattern.width())));
            }
            let bytes = count.saturating_mul(pattern.width());
            let work = match bytes {
                0 => Work::nothing(),
                _ => {
                    let (span, space) = state.range(call, dst, bytes)?;
                    if matches!(space, Space::Device(home) if home != stream.context.ordinal) && !state.peer_access {
                        return Err(invalid_value(call, "memory of another device, and no peer access"));
                    }
                    Work::fill(span, pattern)
                }
            };
            state.queues.submit(stream.id, Vec::new(), work);
            Ok(())
        })
    }

    unsafe fn copy_async(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) -> DriverResult {
        let call = Call::Copy;
        self.shared.submit(call, |state| {
            state.stream(call, stream)?;
            let work = match bytes {
                0 => Work::nothing(),
                _ => {
                    let ((dst, _), (src, _)) = (state.range(call, dst, bytes)?, state.range(call, src, bytes)?);
                    if dst.overlaps(&src) {
                        return Err(invalid_value(call, "source and destination overlap"));
                    }
                    Work::copy(dst, src)
                }
            };
            state.queues.submit(stream.id, Vec::new(), work);
            Ok(())
        })
    }

    unsafe fn module_load(&self, context: &ContextRef, decl: &'static ModuleDecl) -> DriverResult<LoadedModule> {
        let call = Call::ModuleLoad;
        self.shared.call(call, || {
            let mut state = self.shared.lock();
            state.context(call, context)?;
            let handle = state.module_handles.issue();
            let first = state.next_function;
            state.next_function += decl.kernels.len() as u64;
            let entry = ModuleEntry { context: *context, functions: first, kernels: decl.kernels };
            state.modules.insert(handle, entry);
            Ok(LoadedModule { handle, functions: (first..state.next_function).collect() })
        })
    }

    unsafe fn module_unload(&self, module: &ModuleRef) -> DriverResult {
        let call = Call::ModuleUnload;
        self.shared.call(call, || {
            self.shared.lock().module(call, module)?;
            self.force_context(call, &module.context)?;
            let mut state = self.shared.lock();
            state.module(call, module)?;
            state.modules.remove(&module.handle);
            Ok(())
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

impl State {
    fn live_stream(&mut self, call: Call, stream: &StreamRef) -> DriverResult<&mut Self> {
        self.stream(call, stream)?;
        Ok(self)
    }

    fn range(&self, call: Call, ptr: DevicePtr, bytes: usize) -> DriverResult<(Span, Space)> {
        let range = self.memory.span(ptr, bytes);
        range.ok_or_else(|| invalid_value(call, format!("{bytes} bytes at {ptr:?} lie in no allocation")))
    }

    fn pinned(&mut self, call: Call, context: &ContextRef, ptr: DevicePtr) -> DriverResult<Span> {
        self.context(call, context)?;
        match self.memory.allocation(ptr) {
            Some((span, Space::Pinned)) => Ok(span),
            _ => Err(invalid_value(call, format!("no pinned memory is allocated at {ptr:?}"))),
        }
    }

    fn module(&mut self, call: Call, module: &ModuleRef) -> DriverResult {
        self.context(call, &module.context)?;
        match self.modules.get(&module.handle) {
            Some(entry) if entry.context == module.context => Ok(()),
            _ => Err(invalid_handle(call, format!("no module with handle {:#x}", module.handle))),
        }
    }
}

fn rounded(bytes: usize) -> Option<u64> {
    bytes.checked_next_multiple_of(ALIGNMENT).map(|bytes| bytes as u64)
}

fn out_of_memory(call: Call, bytes: usize) -> DriverError {
    error(call, ErrorKind::OutOfMemory, format!("no memory for {bytes} bytes"))
}

/// # Safety
/// 1. The span's arena is not dropped before it returns.
/// 2. The span is not otherwise accessed until it returns.
unsafe fn poison_now(span: Span, byte: u8) {
    // SAFETY: 1 and 2 are the caller's. Fills do not fail.
    let _filled = unsafe { Work::fill(span, Pattern::D8(byte)).run() };
}
