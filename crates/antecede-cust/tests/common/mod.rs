//! A device with short ways to make things on it, for tests that call the driver's methods one by one.
//!
//! Nothing is given back unless a test is about giving back: a test that fails must not wait for the device.

#![allow(dead_code, reason = "each test program uses its part")]

pub(crate) mod capture;
pub(crate) mod kernels;
pub(crate) mod latch;

use std::ptr;
use std::slice;

use antecede::driver::{
    ContextId, ContextRef, DevicePtr, Driver, DriverResult, EventId, EventRef, Pattern, PoolRef, Space, StreamId,
    StreamKind, StreamRef,
};
use antecede_cust::Cuda;
use cust::sys::{self, CUcontext, CUresult};

/// A device of this machine.
pub(crate) struct Gpu {
    pub(crate) driver: Cuda,
    pub(crate) context: ContextRef,
}

impl Gpu {
    /// The first device.
    pub(crate) fn open() -> Gpu {
        Gpu::open_at(0)
    }

    pub(crate) fn open_at(ordinal: u32) -> Gpu {
        let driver = Cuda::new().expect("a GPU");
        // SAFETY: no handle is given.
        let context = unsafe { driver.context_open(ordinal) }.expect("its context");
        Gpu { driver, context }
    }

    /// The first device with a context that is not its primary one, such as other code may make. Not current.
    pub(crate) fn foreign() -> Gpu {
        let driver = Cuda::new().expect("a GPU");
        let mut handle = ptr::null_mut();
        let mut popped = ptr::null_mut();
        // SAFETY: the results outlive the calls.
        unsafe {
            assert_eq!(sys::cuCtxCreate_v2(&mut handle, 0, 0), CUresult::CUDA_SUCCESS);
            assert_eq!(sys::cuCtxPopCurrent_v2(&mut popped), CUresult::CUDA_SUCCESS);
        }
        let (id, legacy) = (ContextId::fresh(), StreamId::fresh());
        Gpu { driver, context: ContextRef { id, ordinal: 0, handle: handle as u64, legacy } }
    }

    pub(crate) fn stream(&self, kind: StreamKind) -> StreamRef {
        self.try_stream(kind, 0).expect("a stream")
    }

    pub(crate) fn try_stream(&self, kind: StreamKind, priority: i32) -> DriverResult<StreamRef> {
        let (id, context) = (StreamId::fresh(), self.context);
        // SAFETY: an open context of this driver; the same holds of every handle below.
        let handle = unsafe { self.driver.stream_create(&context, id, kind, priority, "test") }?;
        Ok(StreamRef { id, context, handle, kind })
    }

    pub(crate) fn non_blocking(&self) -> StreamRef {
        self.stream(StreamKind::NonBlockingStream)
    }

    /// The legacy default stream.
    pub(crate) fn legacy(&self) -> StreamRef {
        StreamRef { id: self.context.legacy, ..self.stream(StreamKind::LegacyStream) }
    }

    /// The calling thread's default stream.
    pub(crate) fn per_thread(&self) -> StreamRef {
        self.stream(StreamKind::PerThreadStream)
    }

    pub(crate) fn event(&self) -> EventRef {
        let (id, context) = (EventId::fresh(), self.context);
        // SAFETY: an open context.
        let handle = unsafe { self.driver.event_create(&context, id) }.expect("an event");
        EventRef { id, context, handle }
    }

    pub(crate) fn device(&self, stream: &StreamRef, bytes: usize) -> DevicePtr {
        // SAFETY: a live stream.
        unsafe { self.driver.alloc_async(stream, bytes) }.expect("device memory")
    }

    pub(crate) fn try_pool(&self, space: Space) -> DriverResult<PoolRef> {
        // SAFETY: an open context.
        let handle = unsafe { self.driver.pool_create(&self.context, space) }?;
        Ok(PoolRef { context: self.context, space, handle })
    }

    pub(crate) fn alloc_from(&self, pool: &PoolRef, stream: &StreamRef, bytes: usize) -> DevicePtr {
        // SAFETY: a live pool, and a live stream of its context.
        unsafe { self.driver.pool_alloc_async(stream, pool, bytes) }.expect("memory of the pool")
    }

    pub(crate) fn free(&self, stream: &StreamRef, memory: DevicePtr) {
        // SAFETY: the tests free what was allocated, once, after its last use.
        unsafe { self.driver.free_async(stream, memory) }.expect("a free");
    }

    /// Pinned memory, zeroed.
    pub(crate) fn pinned(&self, bytes: usize) -> Pinned {
        // SAFETY: an open context.
        let ptr = unsafe { self.driver.pinned_alloc(&self.context, bytes) }.expect("pinned memory");
        let pinned = Pinned { ptr, bytes };
        pinned.write(&vec![0; bytes]);
        pinned
    }

    pub(crate) fn sync(&self, stream: &StreamRef) {
        // SAFETY: a live stream.
        unsafe { self.driver.stream_sync(stream) }.expect("the stream gets there");
    }

    pub(crate) fn done(&self, stream: &StreamRef) -> bool {
        // SAFETY: a live stream.
        unsafe { self.driver.stream_query(stream) }.expect("the stream is well")
    }

    pub(crate) fn copy(&self, stream: &StreamRef, dst: DevicePtr, src: DevicePtr, bytes: usize) {
        // SAFETY: the tests give ranges of live memory, in order.
        unsafe { self.driver.copy_async(stream, dst, src, bytes) }.expect("a copy");
    }

    pub(crate) fn fill(&self, stream: &StreamRef, dst: DevicePtr, pattern: Pattern, count: usize) {
        // SAFETY: as in `copy`.
        unsafe { self.driver.fill_async(stream, dst, pattern, count) }.expect("a fill");
    }

    /// Device memory with these contents, ready on the stream.
    pub(crate) fn upload(&self, stream: &StreamRef, contents: &[u8]) -> DevicePtr {
        let staging = self.pinned(contents.len());
        staging.write(contents);
        let memory = self.device(stream, contents.len());
        self.copy(stream, memory, staging.ptr, contents.len());
        memory
    }

    /// The contents of memory that is ready on the stream.
    pub(crate) fn download(&self, stream: &StreamRef, memory: DevicePtr, bytes: usize) -> Vec<u8> {
        let staging = self.pinned(bytes);
        self.copy(stream, staging.ptr, memory, bytes);
        self.sync(stream);
        staging.read()
    }
}

/// Memory that the host reaches: pinned, or managed.
#[derive(Clone, Copy)]
pub(crate) struct Pinned {
    pub(crate) ptr: DevicePtr,
    pub(crate) bytes: usize,
}

impl Pinned {
    pub(crate) fn write(&self, contents: &[u8]) {
        assert_eq!(contents.len(), self.bytes);
        let to = ptr::with_exposed_provenance_mut::<u8>(self.ptr.0 as usize);
        // SAFETY: live host memory of that length; the tests write only when nothing is in flight there.
        unsafe { ptr::copy_nonoverlapping(contents.as_ptr(), to, contents.len()) };
    }

    pub(crate) fn read(&self) -> Vec<u8> {
        let from = ptr::with_exposed_provenance::<u8>(self.ptr.0 as usize);
        // SAFETY: live host memory of that length; the tests read only after a synchronisation.
        unsafe { slice::from_raw_parts(from, self.bytes) }.to_vec()
    }
}

/// Little-endian bytes of words.
pub(crate) fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Words from their little-endian bytes.
pub(crate) fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// The context that is current on this thread.
pub(crate) fn current() -> CUcontext {
    let mut context = ptr::null_mut();
    // SAFETY: `context` outlives the call.
    assert_eq!(unsafe { sys::cuCtxGetCurrent(&mut context) }, CUresult::CUDA_SUCCESS);
    context
}

/// Runs calls of `cust::sys` in the context.
pub(crate) fn in_context<T>(context: &ContextRef, calls: impl FnOnce() -> T) -> T {
    let mut popped = ptr::null_mut();
    // SAFETY: an open context.
    assert_eq!(unsafe { sys::cuCtxPushCurrent_v2(context.handle as CUcontext) }, CUresult::CUDA_SUCCESS);
    let value = calls();
    // SAFETY: the context pushed above.
    assert_eq!(unsafe { sys::cuCtxPopCurrent_v2(&mut popped) }, CUresult::CUDA_SUCCESS);
    value
}
