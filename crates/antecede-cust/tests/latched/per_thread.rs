//! The per-thread default streams: one handle, a stream for each thread, all of them blocking.

use std::sync::mpsc;
use std::thread;

use antecede::driver::{DevicePtr, Driver, Pattern};

use crate::common::Gpu;
use crate::common::capture::Capture;
use crate::common::latch::Latch;

const BYTES: usize = 1 << 16;

/// Runs `test` while another thread's default stream is held, with a fill of 8 behind the latch: in the memory that
/// `test` is given, together with the latch.
fn while_another_threads_stream_is_held(gpu: &Gpu, test: impl FnOnce(DevicePtr, Latch)) {
    let stream = gpu.non_blocking();
    let memory = gpu.device(&stream, BYTES);
    gpu.fill(&stream, memory, Pattern::D8(0), BYTES);
    gpu.sync(&stream);
    let (held, latches) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            let own = gpu.per_thread();
            let latch = Latch::hold(gpu, &own);
            gpu.fill(&own, memory, Pattern::D8(8), BYTES);
            held.send(latch).expect("the test listens");
            gpu.sync(&own);
        });
        // Dropped by the test, also when it fails: the thread's stream gets there, and the thread ends.
        test(memory, latches.recv().expect("the thread holds its stream"));
    });
}

#[test]
#[ignore = "needs a GPU"]
fn every_thread_has_a_stream_of_its_own() {
    let gpu = Gpu::open();
    let (own, seen) = (gpu.per_thread(), gpu.pinned(BYTES));
    let memory = gpu.device(&own, BYTES);
    while_another_threads_stream_is_held(&gpu, |_, latch| {
        gpu.fill(&own, memory, Pattern::D8(5), BYTES);
        gpu.copy(&own, seen.ptr, memory, BYTES);
        gpu.sync(&own);
        assert_eq!(seen.read(), [5; BYTES], "done while the other thread's stream is held");
        assert!(gpu.done(&own));
        latch.release();
    });
}

#[test]
#[ignore = "needs a GPU"]
fn a_held_per_thread_stream_holds_legacy() {
    let gpu = Gpu::open();
    let (legacy, event) = (gpu.legacy(), gpu.event());
    let seen = gpu.pinned(BYTES);
    while_another_threads_stream_is_held(&gpu, |memory, latch| {
        gpu.copy(&legacy, seen.ptr, memory, BYTES);
        // SAFETY: live handles; the event is recorded before the query.
        unsafe {
            gpu.driver.event_record(&event, &legacy).expect("a record");
            assert_eq!(gpu.driver.event_query(&event), Ok(false));
        }
        latch.release();
        gpu.sync(&legacy);
        assert_eq!(seen.read(), [8; BYTES]);
    });
}

#[test]
#[ignore = "needs a GPU"]
fn a_held_legacy_stream_holds_every_threads_own() {
    let gpu = Gpu::open();
    let legacy = gpu.legacy();
    let (memory, seen) = (gpu.device(&legacy, BYTES), gpu.pinned(BYTES));
    gpu.sync(&legacy);
    let latch = Latch::hold(&gpu, &legacy);
    gpu.fill(&legacy, memory, Pattern::D8(9), BYTES);
    thread::scope(|scope| {
        let (submitted, waits) = mpsc::channel();
        let gpu = &gpu;
        let thread = scope.spawn(move || {
            let own = gpu.per_thread();
            gpu.copy(&own, seen.ptr, memory, BYTES);
            submitted.send(gpu.done(&own)).expect("the test listens");
            gpu.sync(&own);
            seen.read()
        });
        let done = waits.recv().expect("the thread submits");
        latch.release();
        assert!(!done);
        assert_eq!(thread.join().expect("the thread ends"), [9; BYTES]);
    });
}

/// Here and not beside the other captures: an operation on the legacy stream, by a test at the same time, would end it.
#[test]
#[ignore = "needs a GPU"]
fn a_capture_of_one_threads_stream_is_none_of_anothers() {
    let gpu = Gpu::open();
    // SAFETY: the calling thread's own stream.
    let is_capturing = || unsafe { gpu.driver.stream_is_capturing(&gpu.per_thread()) }.expect("an answer");
    assert!(!is_capturing());
    let capture = Capture::begin(&gpu, &gpu.per_thread());
    assert!(is_capturing());
    thread::scope(|scope| {
        assert!(!scope.spawn(is_capturing).join().expect("the thread asks"));
    });
    capture.end();
    assert!(!is_capturing());
    gpu.sync(&gpu.per_thread());
}
