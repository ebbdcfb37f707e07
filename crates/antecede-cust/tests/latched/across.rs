//! Order between two contexts.
//!
//! Nothing that the host calls while the latch is closed may wait for the waiting stream, or the test would never open
//! it. A copy from pinned to pinned memory may: `cuMemcpyAsync` is "fully synchronous with respect to the host" for
//! transfers "from any host memory to any host memory" (CUDA Driver API, "API synchronization behavior"). With such a
//! copy behind the wait this test hung (seen on an H200, driver 580). So it copies to device memory. Contexts and memory
//! are made before the latch closes.

use antecede::driver::{Driver, Pattern};

use crate::common::Gpu;
use crate::common::latch::Latch;

const BYTES: usize = 1 << 16;

#[test]
#[ignore = "needs a GPU"]
fn a_stream_waits_for_an_event_of_another_context() {
    let (gpu, foreign) = (Gpu::open(), Gpu::foreign());
    let (held, waiter) = (foreign.non_blocking(), gpu.non_blocking());
    let (event, pinned) = (foreign.event(), foreign.pinned(BYTES));
    let (theirs, ours) = (foreign.device(&held, BYTES), gpu.upload(&waiter, &[0; BYTES]));
    foreign.sync(&held);
    gpu.sync(&waiter);
    let latch = Latch::hold(&foreign, &held);
    foreign.fill(&held, theirs, Pattern::D8(6), BYTES);
    foreign.copy(&held, pinned.ptr, theirs, BYTES);
    // SAFETY: live handles; event and stream of the record are of one context; the event is recorded before the wait.
    unsafe {
        foreign.driver.event_record(&event, &held).expect("a record");
        gpu.driver.event_wait(&waiter, &event).expect("a wait");
    }
    // Pinned memory is of every context.
    gpu.copy(&waiter, ours, pinned.ptr, BYTES);
    assert!(!gpu.done(&waiter));
    latch.release();
    assert_eq!(gpu.download(&waiter, ours, BYTES), [6; BYTES]);
}
