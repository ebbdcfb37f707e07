//! What returns while the stream that it is about is held. A call that waited would never come back.

use antecede::driver::{Driver, Pattern, StreamId};

use crate::common::Gpu;
use crate::common::kernels::{Arg, MATH};
use crate::common::latch::Latch;
use crate::common::{bytes_of, words_of};

const N: usize = 10_000;

#[test]
#[ignore = "needs a GPU"]
fn submissions_return_at_once() {
    let gpu = Gpu::open();
    let held = gpu.non_blocking();
    // Loaded, but never launched before: a driver that loads lazily would load at the launch, and wait.
    let math = gpu.load(&MATH);
    let (event, seen) = (gpu.event(), gpu.pinned(N * 4));
    let latch = Latch::hold(&gpu, &held);
    let memory = gpu.device(&held, N * 4);
    gpu.fill(&held, memory, Pattern::D32(1), N);
    let args = [Arg::U32(N as u32), Arg::Write(memory, N * 4)];
    gpu.try_launch(&held, &MATH, &math, "increment", &args).expect("a launch");
    gpu.copy(&held, seen.ptr, memory, N * 4);
    // SAFETY: live handles; the free is the last use.
    unsafe {
        gpu.driver.event_record(&event, &held).expect("a record");
        gpu.driver.event_wait(&held, &event).expect("a wait");
        gpu.driver.free_async(&held, memory).expect("a free");
    }
    assert!(!gpu.done(&held), "nothing above waited for the stream");
    latch.release();
    gpu.sync(&held);
    assert_eq!(words_of(&seen.read()), [2; N]);
}

#[test]
#[ignore = "needs a GPU"]
fn a_launch_has_taken_its_parameters_when_it_returns() {
    let gpu = Gpu::open();
    let held = gpu.non_blocking();
    let math = gpu.load(&MATH);
    let x = gpu.upload(&held, &bytes_of(&[3f32.to_bits(); N]));
    let y = gpu.upload(&held, &bytes_of(&[1f32.to_bits(); N]));
    let latch = Latch::hold(&gpu, &held);
    let args = [Arg::U32(N as u32), Arg::F32(2.0), Arg::Read(x, N * 4), Arg::Write(y, N * 4)];
    // `try_launch` overwrites the values as soon as the driver returns; the kernel has not begun then.
    gpu.try_launch(&held, &MATH, &math, "saxpy", &args).expect("a launch");
    assert!(!gpu.done(&held));
    latch.release();
    assert_eq!(words_of(&gpu.download(&held, y, N * 4)), [7f32.to_bits(); N]);
}

#[test]
#[ignore = "needs a GPU"]
fn streams_and_events_end_while_held_and_their_work_is_done() {
    let gpu = Gpu::open();
    let (held, later) = (gpu.non_blocking(), gpu.non_blocking());
    let (event, seen) = (gpu.event(), gpu.pinned(N * 4));
    let memory = gpu.device(&held, N * 4);
    let latch = Latch::hold(&gpu, &held);
    gpu.fill(&held, memory, Pattern::D32(11), N);
    // SAFETY: live handles; nothing is submitted to the stream after its end.
    unsafe {
        gpu.driver.event_record(&event, &held).expect("a record");
        gpu.driver.event_wait(&later, &event).expect("a wait");
        gpu.driver.event_destroy(&event).expect("ends");
        gpu.driver.stream_destroy(&held).expect("ends");
    }
    gpu.copy(&later, seen.ptr, memory, N * 4);
    assert!(!gpu.done(&later), "what was submitted to the ended stream is still to come");
    latch.release();
    gpu.sync(&later);
    assert_eq!(words_of(&seen.read()), [11; N]);
}

#[test]
#[ignore = "needs a GPU"]
fn creating_does_not_wait() {
    let gpu = Gpu::open();
    let held = gpu.non_blocking();
    let latch = Latch::hold(&gpu, &held);
    let (stream, event) = (gpu.non_blocking(), gpu.event());
    let pinned = gpu.pinned(64);
    // SAFETY: an open context; opened once more, closed once more.
    unsafe {
        let context = gpu.driver.context_open(0).expect("opens");
        gpu.driver.context_close(&context).expect("closes");
        gpu.driver.event_record(&event, &stream).expect("a record");
        gpu.driver.event_sync(&event).expect("gets there");
    }
    assert!(!gpu.done(&held));
    assert_eq!(pinned.read(), [0; 64]);
    assert_ne!(StreamId::fresh(), held.id);
    latch.release();
    gpu.sync(&held);
}
