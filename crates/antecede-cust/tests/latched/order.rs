//! What waits for a held stream.

use std::sync::mpsc;
use std::thread;

use antecede::driver::{DevicePtr, Driver, Pattern, StreamKind, StreamRef};

use crate::common::latch::Latch;
use crate::common::{Gpu, Pinned};

const BYTES: usize = 1 << 16;

/// Submits a fill with `value` and a copy to `seen`.
fn submit(gpu: &Gpu, stream: &StreamRef, memory: DevicePtr, seen: &Pinned, value: u8) {
    gpu.fill(stream, memory, Pattern::D8(value), BYTES);
    gpu.copy(stream, seen.ptr, memory, BYTES);
}

/// Device memory that holds `value`, and pinned memory.
fn memory_with(gpu: &Gpu, value: u8) -> (DevicePtr, Pinned) {
    let stream = gpu.non_blocking();
    let memory = gpu.upload(&stream, &[value; BYTES]);
    gpu.sync(&stream);
    (memory, gpu.pinned(BYTES))
}

#[test]
#[ignore = "needs a GPU"]
fn a_held_legacy_stream_does_not_hold_a_non_blocking_one() {
    let gpu = Gpu::open();
    let (legacy, free) = (gpu.legacy(), gpu.non_blocking());
    let (memory, seen) = memory_with(&gpu, 0);
    let latch = Latch::hold(&gpu, &legacy);
    submit(&gpu, &free, memory, &seen, 5);
    gpu.sync(&free);
    assert!(!gpu.done(&legacy), "still held");
    assert_eq!(seen.read(), [5; BYTES]);
    latch.release();
    gpu.sync(&legacy);
}

#[test]
#[ignore = "needs a GPU"]
fn a_held_legacy_stream_holds_a_blocking_one() {
    let gpu = Gpu::open();
    let (legacy, blocking) = (gpu.legacy(), gpu.stream(StreamKind::BlockingStream));
    let (memory, seen) = memory_with(&gpu, 1);
    let latch = Latch::hold(&gpu, &legacy);
    gpu.fill(&legacy, memory, Pattern::D8(6), BYTES);
    gpu.copy(&blocking, seen.ptr, memory, BYTES);
    assert!(!gpu.done(&blocking));
    latch.release();
    gpu.sync(&blocking);
    assert_eq!(seen.read(), [6; BYTES]);
}

#[test]
#[ignore = "needs a GPU"]
fn a_wait_is_for_the_record_at_the_time_of_the_wait() {
    let gpu = Gpu::open();
    let (held, waiter, idle) = (gpu.non_blocking(), gpu.non_blocking(), gpu.non_blocking());
    let (memory, seen) = memory_with(&gpu, 1);
    let event = gpu.event();
    let latch = Latch::hold(&gpu, &held);
    gpu.fill(&held, memory, Pattern::D8(7), BYTES);
    // SAFETY: live handles of one context; the event is recorded before each use.
    unsafe {
        gpu.driver.event_record(&event, &held).expect("a record");
        assert_eq!(gpu.driver.event_query(&event), Ok(false));
        gpu.driver.event_wait(&waiter, &event).expect("a wait");
        // Neither another record, on a stream that is done, nor the event's end changes what was submitted.
        gpu.driver.event_record(&event, &idle).expect("a record");
        gpu.driver.event_sync(&event).expect("the later record is complete");
        assert_eq!(gpu.driver.event_query(&event), Ok(true));
        gpu.driver.event_destroy(&event).expect("ends");
    }
    gpu.copy(&waiter, seen.ptr, memory, BYTES);
    assert!(!gpu.done(&waiter));
    latch.release();
    gpu.sync(&waiter);
    assert_eq!(seen.read(), [7; BYTES]);
}

#[test]
#[ignore = "needs a GPU"]
fn streams_without_a_wait_do_not_wait() {
    let gpu = Gpu::open();
    let (held, free) = (gpu.non_blocking(), gpu.non_blocking());
    let (memory, seen) = memory_with(&gpu, 0);
    let latch = Latch::hold(&gpu, &held);
    submit(&gpu, &free, memory, &seen, 8);
    gpu.sync(&free);
    assert!(!gpu.done(&held));
    assert_eq!(seen.read(), [8; BYTES]);
    latch.release();
    gpu.sync(&held);
}

#[test]
#[ignore = "needs a GPU"]
fn a_context_sync_waits_for_every_stream() {
    let gpu = Gpu::open();
    let streams = [gpu.non_blocking(), gpu.stream(StreamKind::BlockingStream), gpu.legacy()];
    for stream in &streams {
        let (memory, seen) = memory_with(&gpu, 0);
        let latch = Latch::hold(&gpu, stream);
        submit(&gpu, stream, memory, &seen, 9);
        let (about_to_wait, waits) = mpsc::channel();
        let contents = thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                about_to_wait.send(()).expect("the test listens");
                // SAFETY: an open context.
                unsafe { gpu.driver.context_sync(&gpu.context) }.expect("gets there");
                seen.read()
            });
            waits.recv().expect("the thread runs");
            latch.release();
            waiting.join().expect("the thread ends")
        });
        assert_eq!(contents, [9; BYTES], "{stream:?}");
    }
}
