//! Streams whose handles are equal, and contexts.

use antecede_trace::RaceKind::{HostAccessInFlight, UseAfterFree, WriteAfterWrite};

use super::Case;

/// The handle that every thread's default stream has.
const PER_THREAD: u64 = 2;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "one handle in two threads is two streams",
            faulty: |log| {
                let one = log.stream_with_handle("PerThread", PER_THREAD);
                let two = log.stream_with_handle("PerThread", PER_THREAD);
                let x = log.outside(64);
                let first = log.fill(one, x);
                let second = log.fill(two, x);
                vec![(first, second, WriteAfterWrite)]
            },
            fixed: |log| {
                let one = log.stream_with_handle("PerThread", PER_THREAD);
                let x = log.outside(64);
                log.fill(one, x);
                log.fill(one, x);
            },
        },
        Case {
            name: "one handle in two contexts is two streams",
            faulty: |log| {
                let one = log.stream_with_handle("Compute", 1);
                log.next_context();
                let two = log.stream_with_handle("Compute", 1);
                let x = log.alloc(one, 64);
                log.sync(one);
                let write = log.fill(one, x);
                let free = log.free(two, x);
                vec![(write, free, UseAfterFree)]
            },
            fixed: |log| {
                let one = log.stream_with_handle("Compute", 1);
                log.next_context();
                let two = log.stream_with_handle("Compute", 1);
                let (x, event) = (log.alloc(one, 64), log.event());
                log.fill(one, x);
                log.record(event, one);
                log.wait(two, event);
                log.free(two, x);
            },
        },
        Case {
            name: "the other context is synchronised",
            faulty: |log| {
                let a = log.stream("A");
                let other = log.next_context();
                let pinned = log.pinned_alloc(64);
                let fill = log.fill(a, pinned);
                log.context_sync(other);
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                log.next_context();
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned);
                log.context_sync(a.stream.context);
                log.host_read(pinned);
            },
        },
    ]
}
