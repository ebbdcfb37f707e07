//! The legacy default stream: what it orders, by which operations, and what not.

use std::ptr;

use antecede::driver::{DevicePtr, Driver, EventRef, HostFn, LoadedModule, Pattern, StreamKind, StreamRef};

use crate::common::Gpu;
use crate::common::kernels::{Arg, MATH};
use crate::common::latch::Latch;

const BYTES: usize = 1 << 16;

/// What the operations need, made before a latch closes: making it could wait for the device.
struct Needs {
    math: LoadedModule,
    event: EventRef,
    complete: EventRef,
    memory: [DevicePtr; 2],
}

/// An operation, and what submits one of it to a stream.
type Operation = (&'static str, fn(&Gpu, &StreamRef, &Needs));

/// Operations that make the implicit order. (An allocation and a query need not.)
const ORDERING: [Operation; 7] = [
    ("event record", |gpu, stream, needs| {
        // SAFETY: live handles of one context.
        unsafe { gpu.driver.event_record(&needs.event, stream) }.expect("a record");
    }),
    ("wait for an event that is complete", |gpu, stream, needs| {
        // SAFETY: live handles; the event is recorded.
        unsafe { gpu.driver.event_wait(stream, &needs.complete) }.expect("a wait");
    }),
    ("fill", |gpu, stream, needs| gpu.fill(stream, needs.memory[0], Pattern::D8(0), BYTES)),
    ("copy", |gpu, stream, needs| gpu.copy(stream, needs.memory[0], needs.memory[1], BYTES)),
    ("launch", |gpu, stream, needs| {
        let args = [Arg::U32(BYTES as u32 / 4), Arg::Write(needs.memory[0], BYTES)];
        gpu.try_launch(stream, &MATH, &needs.math, "increment", &args).expect("a launch");
    }),
    ("free", |gpu, stream, needs| gpu.free(stream, needs.memory[0])),
    ("host function", |gpu, stream, _| {
        extern "C" fn nothing(_: *mut std::ffi::c_void) {}
        // SAFETY: a live stream, and a function that may be called at any time.
        unsafe { gpu.driver.host_fn(stream, HostFn { call: nothing, data: ptr::null_mut() }, &[]) }.expect("a call");
    }),
];

impl Needs {
    fn of(gpu: &Gpu) -> Needs {
        let (complete, idle) = (gpu.event(), gpu.non_blocking());
        // SAFETY: live handles of one context.
        unsafe {
            gpu.driver.event_record(&complete, &idle).expect("a record");
            gpu.driver.event_sync(&complete).expect("gets there");
        }
        Needs { math: gpu.load(&MATH), event: gpu.event(), complete, memory: [idle_memory(gpu), idle_memory(gpu)] }
    }
}

/// Device memory with nothing in flight.
fn idle_memory(gpu: &Gpu) -> DevicePtr {
    let stream = gpu.non_blocking();
    let memory = gpu.device(&stream, BYTES);
    gpu.fill(&stream, memory, Pattern::D8(0), BYTES);
    gpu.sync(&stream);
    memory
}

#[test]
#[ignore = "needs a GPU"]
fn an_event_on_legacy_waits_for_a_held_blocking_stream() {
    let gpu = Gpu::open();
    let (legacy, held, waiter) = (gpu.legacy(), gpu.stream(StreamKind::BlockingStream), gpu.non_blocking());
    let (memory, seen, event) = (idle_memory(&gpu), gpu.pinned(BYTES), gpu.event());
    let latch = Latch::hold(&gpu, &held);
    gpu.fill(&held, memory, Pattern::D8(3), BYTES);
    // SAFETY: live handles; the event is recorded before each use.
    unsafe {
        gpu.driver.event_record(&event, &legacy).expect("a record");
        assert_eq!(gpu.driver.event_query(&event), Ok(false));
        // What waits for the event inherits the order, a non-blocking stream too.
        gpu.driver.event_wait(&waiter, &event).expect("a wait");
        gpu.copy(&waiter, seen.ptr, memory, BYTES);
        assert!(!gpu.done(&waiter));
        latch.release();
        gpu.driver.event_sync(&event).expect("gets there");
    }
    gpu.sync(&waiter);
    assert_eq!(seen.read(), [3; BYTES]);
}

#[test]
#[ignore = "needs a GPU"]
fn an_event_on_legacy_does_not_wait_for_a_held_non_blocking_stream() {
    let gpu = Gpu::open();
    let (legacy, held, event) = (gpu.legacy(), gpu.non_blocking(), gpu.event());
    let latch = Latch::hold(&gpu, &held);
    // SAFETY: live handles; the event is recorded before the waits.
    unsafe {
        gpu.driver.event_record(&event, &legacy).expect("a record");
        gpu.driver.event_sync(&event).expect("gets there while the other stream is held");
    }
    gpu.sync(&legacy);
    assert!(!gpu.done(&held));
    latch.release();
    gpu.sync(&held);
}

#[test]
#[ignore = "needs a GPU"]
fn operations_on_legacy_order_two_blocking_streams() {
    let gpu = Gpu::open();
    let legacy = gpu.legacy();
    for (name, operation) in ORDERING {
        let needs = Needs::of(&gpu);
        let (first, second) = (gpu.stream(StreamKind::BlockingStream), gpu.stream(StreamKind::BlockingStream));
        let memory = idle_memory(&gpu);
        let latch = Latch::hold(&gpu, &first);
        gpu.fill(&first, memory, Pattern::D8(1), BYTES);
        operation(&gpu, &legacy, &needs);
        gpu.fill(&second, memory, Pattern::D8(2), BYTES);
        assert!(!gpu.done(&second), "{name}");
        latch.release();
        gpu.sync(&second);
        assert!(gpu.done(&first), "{name}: the second stream was behind the first one");
        assert_eq!(gpu.download(&second, memory, BYTES), [2; BYTES], "{name}");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn without_an_operation_on_legacy_two_blocking_streams_have_no_order() {
    let gpu = Gpu::open();
    let (first, second) = (gpu.stream(StreamKind::BlockingStream), gpu.stream(StreamKind::BlockingStream));
    let memory = idle_memory(&gpu);
    let latch = Latch::hold(&gpu, &first);
    gpu.fill(&second, memory, Pattern::D8(2), BYTES);
    gpu.sync(&second);
    assert!(!gpu.done(&first));
    latch.release();
    gpu.sync(&first);
}

#[test]
#[ignore = "needs a GPU"]
fn memory_freed_on_legacy_is_not_had_again_before_a_held_blocking_stream_is_done_with_it() {
    let gpu = Gpu::open();
    let (legacy, later) = (gpu.legacy(), gpu.non_blocking());
    for _ in 0..20 {
        let held = gpu.stream(StreamKind::BlockingStream);
        let memory = gpu.device(&held, BYTES);
        gpu.sync(&held);
        let latch = Latch::hold(&gpu, &held);
        gpu.fill(&held, memory, Pattern::D8(1), BYTES);
        gpu.free(&legacy, memory);
        // Wherever this is, the held fill comes before it, or elsewhere.
        let next = gpu.device(&later, BYTES);
        gpu.fill(&later, next, Pattern::D8(2), BYTES);
        latch.release();
        gpu.sync(&held);
        gpu.sync(&legacy);
        assert_eq!(gpu.download(&later, next, BYTES), [2; BYTES]);
        gpu.free(&later, next);
        gpu.sync(&later);
    }
}
