//! The `Driver` methods: each one call of the driver API, in the context of its handle.

use std::ffi::c_void;
use std::ptr;

use antecede::driver::{
    ContextRef, DevicePtr, Driver, DriverError, DriverId, DriverResult, ErrorKind, EventId, EventRef, Launch,
    LoadedModule, ModuleDecl, ModuleRef, Pattern, StreamId, StreamKind, StreamRef,
};
use cust::sys::{self, CUevent, CUevent_flags, CUfunction, CUmodule, CUstream, CUstream_flags};

use super::call::{cuda, ready};
use super::context::within;
use super::cuda::{Cuda, count_devices};
use super::module;

// SAFETY: by the numbers of the promises of `Driver`:
// 1, 2, 3. Streams, events and waits are CUDA's own, which order so: "work submitted to a stream is executed in the order
//    of submission"; `cuStreamWaitEvent` makes "all future work submitted to hStream wait for all work captured in
//    hEvent", and captures at the time of the call (driver API, stream and event management).
// 4. `cuMemAllocAsync` gives memory that is usable in the order of the stream, never in use elsewhere; addresses from the
//    driver's allocators are aligned to 256 bytes at least (programming guide), pinned ones to a page.
// 5. Copies and fills get the caller's range. A launch names a function that `module_load` obtained, and CUDA reads the
//    parameters during the call (`cuLaunchKernel`).
// 6. Nothing here panics: no index, no arithmetic that overflows, no `unwrap`; locks are taken whether poisoned or not.
// 7. Every method that takes a handle runs in `within` its context.
// 8. A method that creates returns `Err` only when the driver did, or after undoing (streams, modules). Should the
//    thread's context not be restored, what was created is leaked, and never used.
// 9. One `Shared` a process has the id; `Shared::open` keeps one context for each ordinal, and one id for it.
// 10. `module::load` compares before it loads.
// 11. The only lock is taken by `context_open` and `context_close`. CUDA's submissions do not wait for the device; a
//    kernel's lazy loading would, so `module::load` does it.
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
        let flags = match kind {
            StreamKind::NonBlocking => CUstream_flags::CU_STREAM_NON_BLOCKING as u32,
            StreamKind::Blocking => CUstream_flags::CU_STREAM_DEFAULT as u32,
            other => return Err(unsupported("cuStreamCreateWithPriority", format!("streams of kind {other:?}"))),
        };
        // SAFETY: promise 1.
        unsafe { within(context, || create_stream(flags, priority)) }
    }

    unsafe fn stream_destroy(&self, stream: &StreamRef) -> DriverResult {
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
        let mut address = 0;
        // SAFETY: promise 1; `address` outlives the call.
        unsafe { within(&stream.context, || cuda!(cuMemAllocAsync(&mut address, bytes, stream.handle as CUstream))) }?;
        Ok(DevicePtr(address))
    }

    unsafe fn free_async(&self, stream: &StreamRef, ptr: DevicePtr) -> DriverResult {
        // SAFETY: promises 1 and 4.
        unsafe { within(&stream.context, || cuda!(cuMemFreeAsync(ptr.0, stream.handle as CUstream))) }
    }

    unsafe fn pinned_alloc(&self, context: &ContextRef, bytes: usize) -> DriverResult<DevicePtr> {
        let mut address: *mut c_void = ptr::null_mut();
        // With unified addressing (`Shared::open` requires it) the device's address is the host's.
        // SAFETY: promise 1; `address` outlives the call.
        unsafe { within(context, || cuda!(cuMemHostAlloc(&mut address, bytes, sys::CU_MEMHOSTALLOC_PORTABLE))) }?;
        Ok(DevicePtr(address.expose_provenance() as u64))
    }

    unsafe fn pinned_free(&self, context: &ContextRef, ptr: DevicePtr) -> DriverResult {
        let address = ptr::with_exposed_provenance_mut::<c_void>(ptr.0 as usize);
        // SAFETY: promises 1 and 4.
        unsafe { within(context, || cuda!(cuMemFreeHost(address))) }
    }

    unsafe fn fill_async(&self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) -> DriverResult {
        let queue = stream.handle as CUstream;
        // SAFETY: promises 1 to 3.
        unsafe {
            within(&stream.context, || match pattern {
                Pattern::D8(value) => cuda!(cuMemsetD8Async(dst.0, value, count, queue)),
                Pattern::D16(value) => cuda!(cuMemsetD16Async(dst.0, value, count, queue)),
                Pattern::D32(value) => cuda!(cuMemsetD32Async(dst.0, value, count, queue)),
            })
        }
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
        // The driver reads as many pointers as the function has parameters: as many as its declaration, when loaded.
        if launch.params.len() != launch.decl.params.len() {
            let (given, declared) = (launch.params.len(), launch.decl.params.len());
            let message = format!("kernel `{}`: {given} parameters given, {declared} declared", launch.decl.name);
            let kind = ErrorKind::InvalidValue;
            return Err(DriverError { call: "cuLaunchKernel", kind, code: 0, message: message.into() });
        }
        let [grid_x, grid_y, grid_z] = launch.grid;
        let [block_x, block_y, block_z] = launch.block;
        // CUDA takes the array as mutable, and only reads it.
        let params = launch.params.as_ptr().cast_mut().cast::<*mut c_void>();
        // SAFETY: promises 1 to 3 and 6; each parameter points to its value, and there are as many as declared.
        unsafe {
            within(&stream.context, || {
                cuda!(cuLaunchKernel(
                    launch.function as CUfunction,
                    grid_x,
                    grid_y,
                    grid_z,
                    block_x,
                    block_y,
                    block_z,
                    launch.shared_bytes,
                    stream.handle as CUstream,
                    params,
                    ptr::null_mut()
                ))
            })
        }
    }
}

/// Creates a stream in the current context. Its flags are read back: on them rests that the legacy stream gives it no
/// order, or some.
fn create_stream(flags: u32, priority: i32) -> DriverResult<u64> {
    let (mut least, mut greatest) = (0, 0);
    // SAFETY: both outlive the call.
    unsafe { cuda!(cuCtxGetStreamPriorityRange(&mut least, &mut greatest)) }?;
    // The greatest priority is the smallest number.
    let priority = priority.min(least).max(greatest);
    let mut stream: CUstream = ptr::null_mut();
    // SAFETY: `stream` outlives the call.
    unsafe { cuda!(cuStreamCreateWithPriority(&mut stream, flags, priority)) }?;
    let mut made = 0;
    // SAFETY: `made` outlives the call; the stream was just created.
    let read = unsafe { cuda!(cuStreamGetFlags(stream, &mut made)) };
    let problem = match read {
        Ok(()) if made == flags => return Ok(stream as u64),
        Ok(()) => unsupported("cuStreamCreateWithPriority", format!("stream flags {flags:#x} (it made {made:#x})")),
        Err(error) => error,
    };
    // The first error is what the caller wants to hear of.
    // SAFETY: the stream has not left here.
    let _ = unsafe { cuda!(cuStreamDestroy_v2(stream)) };
    Err(problem)
}

fn unsupported(call: &'static str, what: String) -> DriverError {
    let message = format!("the CUDA driver does not have {what}").into();
    DriverError { call, kind: ErrorKind::NotSupported, code: 0, message }
}
