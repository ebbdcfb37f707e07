//! A short run of `examples/fuzz.rs`.

#[path = "../fuzz/mod.rs"]
mod fuzz;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The only test here: the allocations and the descriptors that it counts are the process's.
#[test]
fn ten_thousand_messages_break_no_promise() {
    let summary =
        fuzz::run(10_000, 0x5eed, || ALLOCATOR.stats().bytes_allocated).unwrap_or_else(|broken| panic!("{broken}"));
    println!("{summary}");
    assert!(summary.is_telling(), "{summary}");
}
