//! No lock, no allocation and no atomic read-modify-write between a launch or a hand-over and the driver, in the code that
//! the compiler made.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use antecede_bench::assembly::{Program, Reached, compile};
use std::sync::LazyLock;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| compile().unwrap_or_else(|error| panic!("{error}")));

/// Reached from each, and not looked into: the streams whose hand-over has more to decide (legacy, per-thread, adopted,
/// those of two devices). An adopted stream's heir is behind a lock.
const OTHER_KINDS_OF_STREAMS: &str = "StreamCore::hand_over_by_kind";

fn reached(path: &str) -> Reached {
    PROGRAM.reached_but(path, &[OTHER_KINDS_OF_STREAMS]).unwrap_or_else(|error| panic!("{error}"))
}

/// Instructions that read, modify and write memory as one: `lock ..`, and `xchg` with memory, which locks by itself.
fn atomics(reached: &Reached) -> Vec<&(String, String)> {
    let is_atomic = |line: &str| {
        let operation = line.split_whitespace().next().unwrap_or("");
        operation == "lock" || operation.starts_with("xchg") && line.contains('(')
    };
    reached.instructions.iter().filter(|(_, line)| is_atomic(line)).collect()
}

/// Functions that allocate, or that lock: those of the allocator, the C library's threads, and the kernel's futex.
fn heavy(reached: &Reached) -> Vec<&String> {
    const HEAVY: [&str; 8] =
        ["__rust_alloc", "__rust_realloc", "malloc", "pthread", "futex", "Mutex", "RwLock", "alloc::"];
    // What frees the list of sources of a batch on more than eight streams; for others it is not called.
    reached.functions.iter().filter(|name| HEAVY.iter().any(|heavy| name.contains(heavy))).collect()
}

fn assert_light(path: &str, driver_calls: usize) {
    let reached = reached(path);
    assert_eq!(atomics(&reached), Vec::<&(String, String)>::new(), "{path}");
    assert_eq!(heavy(&reached), Vec::<&String>::new(), "{path}");
    assert_eq!(reached.methods.len(), driver_calls, "{path} calls {:?} of the driver", reached.methods);
}

#[test]
fn launches_have_no_lock_and_no_allocation() {
    for buffers in 1..=8 {
        assert_light(&format!("typed::launch_{buffers}"), 1);
    }
}

#[test]
fn hand_overs_have_no_lock_and_no_allocation() {
    for buffers in [1, 2, 4, 8, 16] {
        assert_light(&format!("typed::hand_over_{buffers}"), 2);
    }
}

/// What is looked for is there to be found: a record takes an event out of a pool behind a lock, and a device is made on
/// the heap.
#[test]
fn a_record_has_a_lock_and_an_opened_device_is_allocated() {
    assert!(!atomics(&reached("typed::record_and_wait")).is_empty());
    assert!(!heavy(&reached("DeviceCore::open")).is_empty());
}
