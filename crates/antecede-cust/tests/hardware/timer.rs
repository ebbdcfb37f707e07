//! What timing events say.

use std::time::Instant;

use antecede::driver::{ContextId, ContextRef, Pattern, StreamRef};
use antecede_cust::Timer;

use crate::common::Gpu;

const BYTES: usize = 256 << 20;

/// A fill of 256 MiB between two marks takes some time, and ends within the time that the host measures around it.
#[test]
#[ignore = "needs a GPU"]
fn marks_measure_what_lies_between_them() {
    let gpu = Gpu::open();
    let timer = Timer::new(gpu.driver, 0).expect("a timer");
    let stream = gpu.non_blocking();
    let memory = gpu.device(&stream, BYTES);
    gpu.fill(&stream, memory, Pattern::D8(1), BYTES);
    gpu.sync(&stream);
    let submitted = Instant::now();
    // SAFETY: a live stream of the context that the driver opened.
    let before = unsafe { timer.mark(&stream) }.expect("a mark").expect("of this context");
    gpu.fill(&stream, memory, Pattern::D8(2), BYTES);
    // SAFETY: as above.
    let after = unsafe { timer.mark(&stream) }.expect("a mark").expect("of this context");
    gpu.sync(&stream);
    let ended = Instant::now();
    let micros = |mark| timer.micros(mark).expect("measured").expect("it has come");
    let took = micros(after) - micros(before);
    // No memory is written at 20 TB/s.
    assert!(took > BYTES as f64 / 20e12 * 1e6, "{took} microseconds for {BYTES} bytes");
    // Both clocks, to within what waking up costs, and the resolution of the events.
    let host = |at: Instant| (at - timer.origin()).as_secs_f64() * 1e6;
    assert!(took <= host(ended) - host(submitted) + 1.0, "{took} within {}", host(ended) - host(submitted));
    assert!(micros(after) <= host(ended) + 1_000.0, "{} by the host's {}", micros(after), host(ended));
    assert!(micros(before) >= host(submitted) - 1_000.0, "{} by the host's {}", micros(before), host(submitted));
}

#[test]
#[ignore = "needs a GPU"]
fn streams_of_other_drivers_are_not_marked() {
    let gpu = Gpu::open();
    let timer = Timer::new(gpu.driver, 0).expect("a timer");
    let stream = gpu.non_blocking();
    let other = ContextRef { id: ContextId::fresh(), ..gpu.context };
    // SAFETY: a live stream; what is said of its context is not looked at, but for its id.
    let mark = unsafe { timer.mark(&StreamRef { context: other, ..stream }) };
    assert_eq!(mark, Ok(None));
    assert_eq!(timer.micros(0), Ok(None), "no mark was made");
}
