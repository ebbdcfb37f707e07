//! Order between two contexts.

use antecede::driver::{Driver, Pattern};

use crate::common::Gpu;
use crate::common::latch::Latch;

const BYTES: usize = 1 << 16;

#[test]
#[ignore = "needs a GPU"]
fn a_stream_waits_for_an_event_of_another_context() {
    let (gpu, foreign) = (Gpu::open(), Gpu::foreign());
    let (held, waiter) = (foreign.non_blocking(), gpu.non_blocking());
    let (event, pinned, seen) = (foreign.event(), foreign.pinned(BYTES), gpu.pinned(BYTES));
    let memory = foreign.device(&held, BYTES);
    let latch = Latch::hold(&foreign, &held);
    foreign.fill(&held, memory, Pattern::D8(6), BYTES);
    foreign.copy(&held, pinned.ptr, memory, BYTES);
    // SAFETY: live handles; event and stream of the record are of one context; the event is recorded before the wait.
    unsafe {
        foreign.driver.event_record(&event, &held).expect("a record");
        gpu.driver.event_wait(&waiter, &event).expect("a wait");
    }
    // Pinned memory is of every context.
    gpu.copy(&waiter, seen.ptr, pinned.ptr, BYTES);
    assert!(!gpu.done(&waiter));
    latch.release();
    gpu.sync(&waiter);
    assert_eq!(seen.read(), [6; BYTES]);
}
