//! Marks of a stream that is held.

use antecede_cust::Timer;

use crate::common::Gpu;
use crate::common::latch::Latch;

#[test]
#[ignore = "needs a GPU"]
fn a_mark_comes_when_what_is_before_it_has_ended() {
    let gpu = Gpu::open();
    let timer = Timer::new(gpu.driver, 0).expect("a timer");
    let (held, free) = (gpu.non_blocking(), gpu.non_blocking());
    let latch = Latch::hold(&gpu, &held);
    // SAFETY: live streams of the context that the driver opened; the same below.
    let behind = unsafe { timer.mark(&held) }.expect("returns at once").expect("a mark");
    // SAFETY: as above.
    let beside = unsafe { timer.mark(&free) }.expect("returns at once").expect("a mark");
    gpu.sync(&free);
    assert_eq!(timer.micros(behind), Ok(None), "the stream has not got there");
    let beside = timer.micros(beside).expect("measured").expect("the other stream has");
    latch.release();
    gpu.sync(&held);
    let behind = timer.micros(behind).expect("measured").expect("it has come");
    assert!(behind > beside, "{behind} after {beside}: it was held until then");
}
