//! Streams whose handles are equal, and contexts.

use antecede::driver::StreamKind;
use antecede_trace::RaceKind::{HostAccessInFlight, ReadAfterWrite, UseAfterFree, WriteAfterRead, WriteAfterWrite};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "one handle in two threads is two streams",
            faulty: |log| {
                let (one, two) = (log.per_thread(), log.per_thread());
                assert_eq!(one.stream.handle, two.stream.handle);
                let x = log.outside(64);
                let first = log.fill(one, x);
                let second = log.fill(two, x);
                vec![(first, second, WriteAfterWrite)]
            },
            fixed: |log| {
                let one = log.per_thread();
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
            name: "the legacy streams of two contexts are two streams",
            faulty: |log| {
                let one = log.legacy();
                log.next_context();
                let two = log.legacy();
                assert_eq!(one.stream.handle, two.stream.handle);
                let x = log.outside(64);
                let first = log.fill(one, x);
                let second = log.fill(two, x);
                vec![(first, second, WriteAfterWrite)]
            },
            // However often it is asked for.
            fixed: |log| {
                let (one, two) = (log.legacy(), log.legacy());
                let x = log.alloc(one, 64);
                log.fill(two, x);
                log.free(one, x);
            },
        },
        Case {
            name: "a cache gives a block in flight to the same handle of another thread",
            faulty: |log| {
                let (one, two) = (log.per_thread(), log.per_thread());
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                let copy = log.copy(one, x, pinned);
                let again = log.fill(two, pinned);
                vec![(copy, again, WriteAfterRead)]
            },
            fixed: |log| {
                let (one, two) = (log.per_thread(), log.per_thread());
                let (x, pinned, dropped) = (log.outside(64), log.pinned_alloc(64), log.event());
                log.copy(one, x, pinned);
                log.record(dropped, one);
                log.wait(two, dropped);
                log.fill(two, pinned);
            },
        },
        Case {
            name: "a hand-over between two threads' streams is taken for one on the same stream",
            faulty: |log| {
                let (one, two) = (log.per_thread(), log.per_thread());
                let (x, event) = (log.outside(64), log.event());
                let write = log.fill(one, x);
                log.record(event, one);
                let read = log.launch(two, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (one, two) = (log.per_thread(), log.per_thread());
                let (x, event) = (log.outside(64), log.event());
                log.fill(one, x);
                log.record(event, one);
                log.wait(two, event);
                log.launch(two, "sum", &[x], &[]);
            },
        },
        Case {
            name: "a new stream has the handle of an adopted one that is gone",
            faulty: |log| {
                let old = log.adopted(StreamKind::NonBlockingStream);
                let new = log.stream_with_handle("New", old.stream.handle);
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                let copy = log.copy(old, pinned, x);
                let read = log.host_fn(new, &[pinned], &[]);
                vec![(copy, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let old = log.adopted(StreamKind::NonBlockingStream);
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                log.copy(old, pinned, x);
                log.host_fn(old, &[pinned], &[]);
            },
        },
        Case {
            name: "an adopted stream is ordered as its kind says",
            faulty: |log| {
                let (legacy, foreign) = (log.legacy(), log.adopted(StreamKind::NonBlockingStream));
                let x = log.outside(64);
                let write = log.fill(foreign, x);
                let again = log.fill(legacy, x);
                vec![(write, again, WriteAfterWrite)]
            },
            fixed: |log| {
                let (legacy, foreign) = (log.legacy(), log.adopted(StreamKind::BlockingStream));
                let x = log.outside(64);
                log.fill(foreign, x);
                log.fill(legacy, x);
                // Adopted or asked for, the legacy stream is one.
                let adopted = log.adopted(StreamKind::LegacyStream);
                log.fill(adopted, x);
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
