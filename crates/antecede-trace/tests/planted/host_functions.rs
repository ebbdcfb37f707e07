//! Host functions, managed memory, and pools that the host can reach.

use antecede_trace::RaceKind::{
    HostAccessInFlight, ReadAfterWrite, UseAfterFree, UseBeforeAlloc, WriteAfterRead, WriteAfterWrite,
};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "a host function reads the target of a copy on another stream",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                let copy = log.copy(a, pinned, x);
                let read = log.host_fn(b, &[pinned], &[]);
                vec![(copy, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                log.copy(a, pinned, x);
                log.host_fn(a, &[pinned], &[]);
            },
        },
        Case {
            name: "the host reads what a host function is still writing",
            faulty: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                let write = log.host_fn(a, &[], &[pinned]);
                let read = log.host_read(pinned);
                vec![(write, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let (pinned, event) = (log.pinned_alloc(64), log.event());
                log.host_fn(a, &[], &[pinned]);
                log.record(event, a);
                log.event_sync(event);
                log.host_read(pinned);
            },
        },
        Case {
            name: "two host functions on two streams write one block",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let pinned = log.pinned_alloc(64);
                let first = log.host_fn(a, &[], &[pinned]);
                let second = log.host_fn(b, &[], &[pinned.part(8..16)]);
                vec![(first, second, WriteAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let pinned = log.pinned_alloc(64);
                log.host_fn(a, &[], &[pinned.part(0..8), pinned.part(16..64)]);
                log.host_fn(b, &[], &[pinned.part(8..16)]);
            },
        },
        Case {
            name: "what a host function has seen, its thread has not",
            faulty: |log| {
                let a = log.stream("A");
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                let copy = log.copy(a, pinned, x);
                let seen = log.host_fn(a, &[pinned], &[]);
                let write = log.host_write(pinned);
                vec![(copy, write, HostAccessInFlight), (seen, write, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                log.copy(a, pinned, x);
                log.host_fn(a, &[pinned], &[]);
                log.query(a, true);
                log.host_write(pinned);
            },
        },
        Case {
            name: "pinned memory is freed before its host function is called",
            faulty: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                let read = log.host_fn(a, &[pinned], &[]);
                let free = log.pinned_free(pinned);
                vec![(read, free, UseAfterFree)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                log.host_fn(a, &[pinned], &[]);
                log.sync(a);
                log.pinned_free(pinned);
            },
        },
        Case {
            name: "the host reads managed memory before the kernel that fills it is done",
            faulty: |log| {
                let a = log.stream("A");
                let managed = log.managed_alloc(64);
                let write = log.launch(a, "iota", &[], &[managed]);
                let read = log.host_read(managed);
                vec![(write, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let managed = log.managed_alloc(64);
                log.launch(a, "iota", &[], &[managed]);
                log.sync(a);
                log.host_read(managed);
            },
        },
        Case {
            name: "the host writes managed memory that a kernel still reads",
            faulty: |log| {
                let a = log.stream("A");
                let (managed, x) = (log.managed_alloc(64), log.outside(64));
                log.host_write(managed);
                let read = log.launch(a, "scale", &[managed], &[x]);
                let write = log.host_write(managed.part(63..64));
                vec![(read, write, HostAccessInFlight)]
            },
            // One stream is synchronised; another works on other memory meanwhile.
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (managed, x, other) = (log.managed_alloc(64), log.outside(64), log.managed_alloc(64));
                log.launch(b, "iota", &[], &[other]);
                log.host_write(managed);
                log.launch(a, "scale", &[managed], &[x]);
                log.sync(a);
                log.host_write(managed.part(63..64));
            },
        },
        Case {
            name: "managed memory is freed under a kernel",
            faulty: |log| {
                let a = log.stream("A");
                let managed = log.managed_alloc(64);
                let write = log.launch(a, "iota", &[], &[managed]);
                let free = log.managed_free(managed);
                vec![(write, free, UseAfterFree)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let managed = log.managed_alloc(64);
                log.launch(a, "iota", &[], &[managed]);
                log.context_sync(log.context());
                log.managed_free(managed);
                log.managed_alloc_at(managed);
                log.host_read(managed);
            },
        },
        Case {
            name: "the host reads memory of a pinned pool before the stream that allocates it is done",
            faulty: |log| {
                let a = log.stream("A");
                let x = log.outside(64);
                let alloc = log.pool_alloc_at(a, x);
                let early = log.host_read(x.part(32..64));
                let fill = log.fill(a, x.part(0..32));
                let read = log.host_read(x.part(0..32));
                vec![(alloc, early, UseBeforeAlloc), (fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let x = log.pool_alloc(a, 64);
                log.fill(a, x.part(0..32));
                log.sync(a);
                log.host_read(x);
            },
        },
        Case {
            name: "memory of a pool is used on another stream and freed on its own",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(64);
                let alloc = log.pool_alloc_at(a, x);
                let read = log.launch(b, "sum", &[x], &[]);
                let free = log.free(a, x);
                vec![(alloc, read, UseBeforeAlloc), (read, free, UseAfterFree)]
            },
            fixed: |log| {
                let (a, b, event) = (log.stream("A"), log.stream("B"), log.event());
                let x = log.pool_alloc(a, 64);
                log.record(event, a);
                log.wait(b, event);
                log.launch(b, "sum", &[x], &[]);
                log.record(event, b);
                log.wait(a, event);
                log.free(a, x);
                // The pool may give it to any stream now.
                log.pool_alloc_at(b, x);
                log.fill(b, x);
            },
        },
        Case {
            name: "a host function changes the source of a copy in flight on another stream",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                let copy = log.copy(a, x, pinned);
                let write = log.host_fn(b, &[], &[pinned]);
                vec![(copy, write, WriteAfterRead)]
            },
            fixed: |log| {
                let (a, b, event) = (log.stream("A"), log.stream("B"), log.event());
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                log.copy(a, x, pinned);
                log.record(event, a);
                log.wait(b, event);
                log.host_fn(b, &[], &[pinned]);
            },
        },
    ]
}
