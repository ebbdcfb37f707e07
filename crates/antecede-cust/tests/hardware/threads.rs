//! Every method, called on a thread where no context is current, or another one.

use std::thread;

use antecede::driver::{Driver, DriverResult, ErrorKind, ModuleDecl, ModuleRef, Pattern};
use cust::sys::{self, CUcontext, CUresult, CUstream};

use crate::common::kernels::{Arg, MATH, kernel};
use crate::common::{Gpu, current, in_context};

/// Calls each method of the driver once, and those that can fail without harm once more; each must leave `found`
/// current on this thread.
fn tour(gpu: &Gpu, found: CUcontext) {
    static NO_ENTRY: ModuleDecl = ModuleDecl { kernels: &[kernel("axpy", &[])], ..MATH };
    let stays = |call: &str| assert_eq!(current(), found, "after {call}");
    stays("the start");
    let driver = &gpu.driver;
    // SAFETY: live handles throughout; ranges in live memory, in the order of one stream.
    unsafe {
        let context = driver.context_open(0).expect("opens");
        stays("context_open");
        assert_eq!(context, gpu.context);
        let stream = gpu.non_blocking();
        stays("stream_create");
        let mut owner = std::ptr::null_mut();
        in_context(&context, || {
            assert_eq!(sys::cuStreamGetCtx(stream.handle as CUstream, &mut owner), CUresult::CUDA_SUCCESS);
        });
        assert_eq!(owner, context.handle as CUcontext, "the stream is of the context that was named");
        let event = gpu.event();
        stays("event_create");
        let memory = gpu.device(&stream, 4096);
        stays("alloc_async");
        let pinned = gpu.pinned(4096);
        stays("pinned_alloc");
        gpu.fill(&stream, memory, Pattern::D32(41), 1024);
        stays("fill_async");
        let loaded = gpu.load(&MATH);
        stays("module_load");
        let args = [Arg::U32(1024), Arg::Write(memory, 4096)];
        gpu.try_launch(&stream, &MATH, &loaded, "increment", &args).expect("a launch");
        stays("launch");
        gpu.copy(&stream, pinned.ptr, memory, 4096);
        stays("copy_async");
        driver.event_record(&event, &stream).expect("a record");
        stays("event_record");
        driver.event_wait(&stream, &event).expect("a wait");
        stays("event_wait");
        driver.event_query(&event).expect("an answer");
        stays("event_query");
        driver.stream_query(&stream).expect("an answer");
        stays("stream_query");
        driver.event_sync(&event).expect("gets there");
        stays("event_sync");
        assert_eq!(pinned.read(), 42u32.to_le_bytes().repeat(1024));
        driver.stream_sync(&stream).expect("gets there");
        stays("stream_sync");

        let failed = driver.alloc_async(&stream, 1 << 50);
        assert_eq!(kind(failed), Some(ErrorKind::OutOfMemory));
        stays("alloc_async that fails");
        assert_eq!(kind(driver.module_load(&context, &NO_ENTRY)), Some(ErrorKind::KernelMismatch));
        stays("module_load that fails");
        assert_eq!(kind(driver.context_open(u32::MAX)), Some(ErrorKind::NoDevice));
        stays("context_open that fails");

        driver.free_async(&stream, memory).expect("a free");
        stays("free_async");
        driver.pinned_free(&context, pinned.ptr).expect("a free");
        stays("pinned_free");
        driver.context_sync(&context).expect("gets there");
        stays("context_sync");
        driver.module_unload(&ModuleRef { context, handle: loaded.handle }).expect("unloads");
        stays("module_unload");
        driver.event_destroy(&event).expect("ends");
        stays("event_destroy");
        driver.stream_destroy(&stream).expect("ends");
        stays("stream_destroy");
        driver.context_close(&context).expect("closes");
        stays("context_close");
    }
}

fn kind<T>(result: DriverResult<T>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind)
}

#[test]
#[ignore = "needs a GPU"]
fn threads_with_no_current_context() {
    let gpu = Gpu::open();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| tour(&gpu, std::ptr::null_mut()));
        }
    });
}

#[test]
#[ignore = "needs a GPU"]
fn a_thread_where_the_context_is_current_already() {
    let gpu = Gpu::open();
    in_context(&gpu.context, || tour(&gpu, gpu.context.handle as CUcontext));
}

#[test]
#[ignore = "needs a GPU"]
fn a_thread_where_another_context_is_current() {
    let gpu = Gpu::open();
    let mut foreign = std::ptr::null_mut();
    // SAFETY: `foreign` outlives the calls; it is destroyed on the thread that made it.
    unsafe {
        assert_eq!(sys::cuCtxCreate_v2(&mut foreign, 0, 0), CUresult::CUDA_SUCCESS);
        assert_ne!(foreign, gpu.context.handle as CUcontext);
        tour(&gpu, foreign);
        assert_eq!(sys::cuCtxDestroy_v2(foreign), CUresult::CUDA_SUCCESS);
    }
}
