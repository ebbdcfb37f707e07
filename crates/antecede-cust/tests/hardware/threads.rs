//! Every method, called on a thread where no context is current, or another one.

use std::thread;

use antecede::driver::{
    DeviceAttribute, Driver, DriverResult, ErrorKind, HostFn, ModuleDecl, ModuleRef, Pattern, PoolAttribute, Space,
    StreamId, StreamKind,
};
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

        let legacy = gpu.legacy();
        stays("stream_create of a built-in stream");
        let per_thread = gpu.per_thread();
        driver.stream_destroy(&per_thread).expect("does nothing");
        stays("stream_destroy of a built-in stream");
        driver.event_record(&event, &legacy).expect("a record");
        driver.event_wait(&per_thread, &event).expect("a wait");
        stays("event_wait on a built-in stream");
        let adopted = driver.stream_adopt(&context, stream.handle, StreamId::fresh());
        assert_eq!(adopted, Ok(StreamKind::NonBlockingStream));
        stays("stream_adopt");
        assert_eq!(driver.stream_is_capturing(&stream), Ok(false));
        stays("stream_is_capturing");
        driver.priority_range(&context).expect("a range");
        stays("priority_range");
        driver.host_fn(&stream, HostFn { call: nothing, data: std::ptr::null_mut() }, &[]).expect("a host function");
        stays("host_fn");
        driver.attribute(&context, DeviceAttribute::ConcurrentManagedAccess).expect("a number");
        stays("attribute");
        let managed = driver.managed_alloc(&context, 4096).expect("managed memory");
        stays("managed_alloc");
        driver.managed_free(&context, managed).expect("a free");
        stays("managed_free");
        let pool = gpu.try_pool(Space::DeviceMemory).expect("a pool");
        stays("pool_create");
        driver.pool_set(&pool, PoolAttribute::ReleaseThreshold, 1 << 20).expect("is set");
        stays("pool_set");
        assert_eq!(driver.pool_attribute(&pool, PoolAttribute::ReleaseThreshold), Ok(1 << 20));
        stays("pool_attribute");
        let pooled = gpu.alloc_from(&pool, &stream, 4096);
        stays("pool_alloc_async");
        assert_eq!(driver.peer_possible(&context, &context), Ok(true));
        stays("peer_possible");
        driver.peer_enable(&context, &context).expect("is enabled");
        stays("peer_enable");
        driver.peer_copy_async(&stream, (&context, pooled), (&context, memory), 4096).expect("a copy");
        stays("peer_copy_async");
        assert_eq!(gpu.download(&stream, pooled, 4096), 42u32.to_le_bytes().repeat(1024));
        driver.free_async(&stream, pooled).expect("a free");
        driver.stream_sync(&stream).expect("gets there");
        driver.pool_trim(&pool, 0).expect("trims");
        stays("pool_trim");
        driver.pool_destroy(&pool).expect("ends");
        stays("pool_destroy");

        let failed = driver.stream_adopt(&context, 1, StreamId::fresh());
        assert_eq!(kind(failed), Some(ErrorKind::InvalidHandle));
        stays("stream_adopt that fails");
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

/// A host function that does nothing.
extern "C" fn nothing(_: *mut std::ffi::c_void) {}

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
