//! The legacy default stream, and streams that it orders or does not.

use antecede_trace::RaceKind::{
    AllocInUse, HostAccessInFlight, ReadAfterWrite, UseAfterFree, UseBeforeAlloc, WriteAfterWrite,
};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "allocated and written on the legacy stream, read on a non-blocking one",
            faulty: |log| {
                let (legacy, side) = (log.legacy(), log.stream("Side"));
                let x = log.outside(64);
                let alloc = log.alloc_at(legacy, x);
                let write = log.fill(legacy, x.part(0..32));
                let read = log.launch(side, "sum", &[x], &[]);
                vec![(alloc, read, UseBeforeAlloc), (write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (legacy, side) = (log.legacy(), log.blocking("Side"));
                let x = log.alloc(legacy, 64);
                log.fill(legacy, x.part(0..32));
                log.launch(side, "sum", &[x], &[]);
            },
        },
        Case {
            name: "a synchronous copy on the legacy stream is still under way when a non-blocking stream reads",
            faulty: |log| {
                let (legacy, side) = (log.legacy(), log.stream("Side"));
                let (x, staging) = (log.outside(1 << 21), log.outside(1 << 21));
                let copy = log.copy(legacy, x, staging);
                let read = log.launch(side, "add", &[x], &[]);
                vec![(copy, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (legacy, side) = (log.legacy(), log.stream("Side"));
                let (x, staging) = (log.outside(1 << 21), log.outside(1 << 21));
                log.copy(legacy, x, staging);
                log.sync(legacy);
                log.launch(side, "add", &[x], &[]);
            },
        },
        Case {
            name: "the callee takes a non-blocking stream of its own",
            faulty: |log| {
                let (legacy, callee) = (log.legacy(), log.stream("Sort"));
                let x = log.outside(64);
                let write = log.fill(legacy, x);
                let sort = log.launch(callee, "sort", &[], &[x]);
                vec![(write, sort, WriteAfterWrite)]
            },
            fixed: |log| {
                let (legacy, callee, event) = (log.legacy(), log.stream("Sort"), log.event());
                let x = log.outside(64);
                log.fill(legacy, x);
                log.record(event, legacy);
                log.wait(callee, event);
                log.launch(callee, "sort", &[], &[x]);
            },
        },
        Case {
            name: "right by accident: a copy back on the legacy stream, and a free that drains the device",
            faulty: |log| {
                let (caller, legacy) = (log.stream("Caller"), log.legacy());
                let (x, target, scratch) = (log.alloc(caller, 64), log.pinned_alloc(64), log.pinned_alloc(64));
                log.sync(caller);
                let write = log.launch(caller, "scale", &[], &[x]);
                let copy = log.copy(legacy, target, x);
                log.pinned_free(scratch);
                let read = log.host_read(target);
                vec![(write, copy, ReadAfterWrite), (copy, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let (caller, legacy) = (log.blocking("Caller"), log.legacy());
                let (x, target, scratch) = (log.alloc(caller, 64), log.pinned_alloc(64), log.pinned_alloc(64));
                log.launch(caller, "scale", &[], &[x]);
                log.copy(legacy, target, x);
                log.sync(legacy);
                log.pinned_free(scratch);
                log.host_read(target);
            },
        },
        Case {
            name: "freed on the legacy stream under a copy on a non-blocking one",
            faulty: |log| {
                let (a, legacy) = (log.stream("A"), log.legacy());
                let (x, target) = (log.alloc(a, 64), log.pinned_alloc(64));
                log.sync(a);
                let copy = log.copy(a, target, x);
                let free = log.free(legacy, x);
                log.sync(a);
                vec![(copy, free, UseAfterFree)]
            },
            fixed: |log| {
                let (a, legacy) = (log.blocking("A"), log.legacy());
                let (x, target) = (log.alloc(a, 64), log.pinned_alloc(64));
                log.copy(a, target, x);
                log.free(legacy, x);
            },
        },
        Case {
            name: "from one blocking stream to another with nothing on the legacy stream in between",
            faulty: |log| {
                let (legacy, a, b) = (log.legacy(), log.blocking("A"), log.blocking("B"));
                let (x, event) = (log.outside(64), log.event());
                log.record(event, legacy);
                let first = log.fill(a, x);
                let second = log.fill(b, x);
                log.record(event, legacy);
                vec![(first, second, WriteAfterWrite)]
            },
            fixed: |log| {
                let (legacy, a, b) = (log.legacy(), log.blocking("A"), log.blocking("B"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, legacy);
                log.fill(b, x);
            },
        },
        Case {
            name: "an allocation and a query on the legacy stream order nothing",
            faulty: |log| {
                let (legacy, a, b) = (log.legacy(), log.blocking("A"), log.blocking("B"));
                let x = log.outside(64);
                let first = log.fill(a, x);
                log.alloc(legacy, 64);
                log.pool_alloc(legacy, 64);
                log.query(legacy, false);
                let second = log.fill(b, x);
                vec![(first, second, WriteAfterWrite)]
            },
            fixed: |log| {
                let (legacy, a, b) = (log.legacy(), log.blocking("A"), log.blocking("B"));
                let x = log.outside(64);
                log.fill(a, x);
                log.query(legacy, true);
                log.fill(b, x);
            },
        },
        Case {
            name: "fresh from the legacy stream, used on a blocking one with nothing in between",
            faulty: |log| {
                let (legacy, b) = (log.legacy(), log.blocking("B"));
                let (x, y) = (log.outside(64), log.outside(64));
                let alloc = log.alloc_at(legacy, x);
                let from_pool = log.pool_alloc_at(legacy, y);
                let copy = log.copy(b, x, y);
                vec![(alloc, copy, UseBeforeAlloc), (from_pool, copy, UseBeforeAlloc)]
            },
            fixed: |log| {
                let (legacy, b, event) = (log.legacy(), log.blocking("B"), log.event());
                let (x, y) = (log.alloc(legacy, 64), log.pool_alloc(legacy, 64));
                log.record(event, legacy);
                log.copy(b, x, y);
            },
        },
        Case {
            name: "through a per-thread stream, the legacy stream and a blocking one of another thread",
            faulty: |log| {
                let (mine, b) = (log.per_thread(), log.blocking("B"));
                log.legacy();
                let x = log.outside(64);
                let first = log.fill(mine, x);
                let second = log.fill(b, x);
                vec![(first, second, WriteAfterWrite)]
            },
            fixed: |log| {
                let (mine, b) = (log.per_thread(), log.blocking("B"));
                let legacy = log.legacy();
                let (x, y) = (log.outside(64), log.outside(64));
                log.fill(mine, x);
                log.fill(legacy, y);
                log.fill(b, x);
            },
        },
        Case {
            name: "a blocking stream is synchronised for work of the legacy stream before it",
            faulty: |log| {
                let (legacy, a) = (log.legacy(), log.blocking("A"));
                let pinned = log.pinned_alloc(64);
                let fill = log.fill(legacy, pinned);
                // Neither waits behind the legacy stream.
                log.alloc(a, 64);
                log.sync(a);
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let (legacy, a) = (log.legacy(), log.blocking("A"));
                let (pinned, y) = (log.pinned_alloc(64), log.outside(64));
                log.fill(legacy, pinned);
                log.fill(a, y);
                log.sync(a);
                log.host_read(pinned);
            },
        },
        Case {
            name: "the legacy stream is synchronised for work of a non-blocking one",
            faulty: |log| {
                let (legacy, a, side) = (log.legacy(), log.blocking("A"), log.stream("Side"));
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned.part(0..32));
                let fill = log.fill(side, pinned.part(32..64));
                log.sync(legacy);
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let (legacy, a, mine) = (log.legacy(), log.blocking("A"), log.per_thread());
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned.part(0..32));
                log.fill(mine, pinned.part(32..64));
                log.sync(legacy);
                log.host_read(pinned);
            },
        },
        Case {
            name: "submitted to a blocking stream while a sync of the legacy stream was under way",
            faulty: |log| {
                let (legacy, a) = (log.legacy(), log.blocking("A"));
                let pinned = log.pinned_alloc(64);
                let begun = log.begin_sync(legacy);
                let fill = log.fill(a, pinned);
                log.end(begun);
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let (legacy, a) = (log.legacy(), log.blocking("A"));
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned);
                let begun = log.begin_sync(legacy);
                log.end(begun);
                log.host_read(pinned);
            },
        },
        Case {
            name: "a non-blocking stream waits for an event that the legacy stream recorded too early",
            faulty: |log| {
                let (legacy, a, side) = (log.legacy(), log.blocking("A"), log.stream("Side"));
                let (x, event) = (log.outside(64), log.event());
                log.record(event, legacy);
                let write = log.fill(a, x);
                log.wait(side, event);
                let read = log.launch(side, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            // What waits for a record of the legacy stream waits for all that the record waits for.
            fixed: |log| {
                let (legacy, a, side) = (log.legacy(), log.blocking("A"), log.stream("Side"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, legacy);
                log.wait(side, event);
                log.launch(side, "sum", &[x], &[]);
            },
        },
        Case {
            name: "a failed operation on the legacy stream orders nothing",
            faulty: |log| {
                let (legacy, a, b) = (log.legacy(), log.blocking("A"), log.blocking("B"));
                let (x, y) = (log.outside(64), log.outside(64));
                let first = log.fill(a, x);
                log.fill(legacy, y);
                log.failed();
                let second = log.fill(b, x);
                vec![(first, second, WriteAfterWrite)]
            },
            // It comes after the blocking streams itself, if it was submitted at all.
            fixed: |log| {
                let (legacy, a, event) = (log.legacy(), log.blocking("A"), log.event());
                let (x, b) = (log.outside(64), log.blocking("B"));
                log.fill(a, x);
                log.fill(legacy, x);
                log.failed();
                log.record(event, legacy);
                log.fill(b, x);
            },
        },
        Case {
            name: "memory in use is given to the legacy stream",
            faulty: |log| {
                let (legacy, a) = (log.legacy(), log.blocking("A"));
                let x = log.outside(64);
                let fill = log.fill(a, x);
                let alloc = log.alloc_at(legacy, x);
                vec![(fill, alloc, AllocInUse)]
            },
            fixed: |log| {
                let (legacy, a) = (log.legacy(), log.blocking("A"));
                let x = log.alloc(a, 64);
                log.fill(a, x);
                log.free(a, x);
                log.alloc_at(legacy, x);
                log.fill(legacy, x);
            },
        },
    ]
}
