//! Host functions: called once, between what was submitted before them and what was submitted after.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use antecede::driver::{Access, Driver, HostFn, Pattern};

use crate::common::latch::Latch;
use crate::common::{Gpu, Pinned};

const BYTES: usize = 1 << 16;

/// What the host function works on.
struct Work {
    memory: Pinned,
    calls: AtomicU32,
}

/// Adds 1 to every byte.
unsafe extern "C" fn increment(data: *mut c_void) {
    // SAFETY: the test passes one reference count to each call.
    let work = unsafe { Arc::from_raw(data.cast_const().cast::<Work>()) };
    let contents: Vec<u8> = work.memory.read().iter().map(|byte| byte.wrapping_add(1)).collect();
    work.memory.write(&contents);
    work.calls.fetch_add(1, Ordering::SeqCst);
}

#[test]
#[ignore = "needs a GPU"]
fn a_host_function_is_called_once_and_in_stream_order() {
    let gpu = Gpu::open();
    let held = gpu.non_blocking();
    let work = Arc::new(Work { memory: gpu.pinned(BYTES), calls: AtomicU32::new(0) });
    let (memory, ptr) = (gpu.device(&held, BYTES), work.memory.ptr);
    let accesses = [Access { ptr, bytes: BYTES, write: true }];
    let latch = Latch::hold(&gpu, &held);
    gpu.fill(&held, memory, Pattern::D8(20), BYTES);
    for round in 1..=3 {
        // To the host, through its hands, and back.
        gpu.copy(&held, ptr, memory, BYTES);
        let data = Arc::into_raw(Arc::clone(&work)).cast_mut().cast::<c_void>();
        // SAFETY: pinned memory that only this stream uses; the function may be called once with this data.
        unsafe { gpu.driver.host_fn(&held, HostFn { call: increment, data }, &accesses) }.expect("a call");
        gpu.copy(&held, memory, ptr, BYTES);
        assert_eq!(work.calls.load(Ordering::SeqCst), 0, "held before round {round}");
    }
    assert!(!gpu.done(&held), "nothing above waited for the stream");
    latch.release();
    assert_eq!(gpu.download(&held, memory, BYTES), [23; BYTES]);
    assert_eq!(work.calls.load(Ordering::SeqCst), 3);
    assert_eq!(Arc::strong_count(&work), 1, "each call had its own data");
}
