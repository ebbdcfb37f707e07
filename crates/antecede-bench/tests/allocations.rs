//! Heap allocations of each operation over a driver that does nothing, counted.

use antecede_bench::cpu::OPERATIONS;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What allocates: the list of readers of shared buffers.
const ALLOCATES: [&str; 1] = ["four_readers"];

/// Calls of the allocator during so many times of the operation, with its set-up.
fn calls(run: fn(u64) -> antecede::Result<std::time::Duration>, times: u64) -> usize {
    let region = Region::new(ALLOCATOR);
    run(times).expect("nothing is refused");
    let change = region.change();
    change.allocations + change.reallocations + change.deallocations
}

/// One test: another thread's allocations would be counted too.
#[test]
fn only_shared_buffers_allocate() {
    const MORE: u64 = 1000;
    for operation in OPERATIONS {
        // The first run opens the device, and fills its pool of events.
        calls(operation.typed, 1);
        let (few, many) = (calls(operation.typed, 1), calls(operation.typed, 1 + MORE));
        let each = (many - few) as f64 / MORE as f64;
        println!("{:<20} {each} calls of the allocator", operation.name);
        if ALLOCATES.contains(&operation.name) {
            assert!(each > 0.0, "`{}` is said to allocate", operation.name);
        } else {
            assert_eq!(few, many, "`{}` allocates", operation.name);
        }
    }
}
