//! Copies whose call may wait for the stream.

use std::sync::mpsc;
use std::thread;

use antecede::driver::{Driver, Pattern};

use crate::common::Gpu;
use crate::common::latch::Latch;

const BYTES: usize = 1 << 16;

/// A copy from pinned to pinned memory may wait for its stream (see `across`). A lock held meanwhile would shut out the
/// thread that lets the stream go: it would never get as far as opening the latch.
#[test]
#[ignore = "needs a GPU"]
fn a_copy_between_pinned_memory_shuts_out_no_other_thread() {
    let gpu = Gpu::open();
    let (held, free, event) = (gpu.non_blocking(), gpu.non_blocking(), gpu.event());
    let (from, to) = (gpu.pinned(BYTES), gpu.pinned(BYTES));
    from.write(&[3; BYTES]);
    let memory = gpu.device(&free, BYTES);
    let latch = Latch::hold(&gpu, &held);
    let gpu = &gpu;
    thread::scope(move |scope| {
        let (about_to_copy, copies) = mpsc::channel();
        let copying = scope.spawn(move || {
            about_to_copy.send(()).expect("the test listens");
            gpu.copy(&held, to.ptr, from.ptr, BYTES);
            gpu.sync(&held);
            to.read()
        });
        copies.recv().expect("the thread runs");
        // Many, so that the other thread has reached the driver during some of them.
        for _ in 0..1000 {
            gpu.fill(&free, memory, Pattern::D8(1), BYTES);
            // SAFETY: live handles of one context.
            unsafe { gpu.driver.event_record(&event, &free) }.expect("a record");
            gpu.sync(&free);
        }
        latch.release();
        assert_eq!(copying.join().expect("the thread ends"), [3; BYTES]);
    });
}
