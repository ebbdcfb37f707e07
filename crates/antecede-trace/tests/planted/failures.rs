//! Calls that failed: their edges do not count, their accesses do.

use antecede_trace::RaceKind::{HostAccessInFlight, ReadAfterWrite, UseAfterFree};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "a failed record",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                let write = log.fill(a, x);
                log.record(event, a);
                log.failed();
                log.wait(b, event);
                let read = log.launch(b, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, a);
                log.failed();
                log.record(event, a);
                log.wait(b, event);
                log.launch(b, "sum", &[x], &[]);
            },
        },
        Case {
            name: "a failed record on another stream leaves the event in doubt",
            faulty: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (x, event) = (log.outside(64), log.event());
                let write = log.fill(a, x);
                log.record(event, a);
                log.record(event, c);
                log.failed();
                log.wait(b, event);
                let read = log.launch(b, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, a);
                // Either record covers the write.
                log.record(event, a);
                log.failed();
                log.wait(b, event);
                log.launch(b, "sum", &[x], &[]);
            },
        },
        Case {
            name: "a failed record on a stream that is ahead of nothing",
            faulty: |log| {
                let (idle, a, b) = (log.stream("Idle"), log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                let write = log.fill(a, x);
                log.record(event, a);
                log.record(event, idle);
                log.failed();
                log.wait(b, event);
                let read = log.launch(b, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (idle, a, b) = (log.stream("Idle"), log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, a);
                log.wait(idle, event);
                log.record(event, idle);
                log.failed();
                log.wait(b, event);
                log.launch(b, "sum", &[x], &[]);
            },
        },
        Case {
            name: "a failed wait",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                let write = log.fill(a, x);
                log.record(event, a);
                log.wait(b, event);
                log.failed();
                let read = log.launch(b, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, a);
                log.wait(b, event);
                log.failed();
                log.wait(b, event);
                log.launch(b, "sum", &[x], &[]);
            },
        },
        Case {
            name: "a failed sync",
            faulty: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                let fill = log.fill(a, pinned);
                log.sync(a);
                log.failed();
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned);
                log.sync(a);
                log.failed();
                log.sync(a);
                log.host_read(pinned);
            },
        },
        Case {
            name: "a failed query",
            faulty: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                let fill = log.fill(a, pinned);
                log.query(a, true);
                log.failed();
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned);
                log.query(a, true);
                log.host_read(pinned);
            },
        },
        Case {
            name: "a failed launch may run",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(64);
                let write = log.launch(a, "scale", &[], &[x]);
                log.failed();
                let read = log.launch(b, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let x = log.outside(64);
                log.launch(a, "scale", &[], &[x]);
                log.failed();
                log.launch(a, "sum", &[x], &[]);
            },
        },
        Case {
            name: "a failed free may free",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(64);
                let free = log.free(a, x);
                log.failed();
                let write = log.fill(b, x);
                vec![(free, write, UseAfterFree)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.alloc(a, 64);
                log.free(a, x);
                log.failed();
                // Not freed twice, for all that is known; and if it was freed, the pool may give it away.
                log.free(a, x);
                log.failed();
                log.alloc_at(b, x);
            },
        },
        Case {
            name: "a failed free of pinned memory may free",
            faulty: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                let fill = log.fill(a, pinned);
                let free = log.pinned_free(pinned);
                log.failed();
                vec![(fill, free, UseAfterFree)]
            },
            fixed: |log| {
                let pinned = log.pinned_alloc(64);
                log.pinned_free(pinned);
                log.failed();
                log.pinned_free(pinned);
            },
        },
        Case {
            name: "a failed record on another stream may be the event's latest",
            faulty: |log| {
                let (b, side, c) = (log.blocking("B"), log.stream("Side"), log.stream("C"));
                let (x, event) = (log.outside(64), log.event());
                let write = log.fill(b, x);
                log.record(event, b);
                log.record(event, side);
                log.failed();
                log.wait(c, event);
                let read = log.launch(c, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            // On the legacy stream it is after the fill as well: whichever record holds, the wait is for both.
            fixed: |log| {
                let (b, legacy, c) = (log.blocking("B"), log.legacy(), log.stream("C"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(b, x);
                log.record(event, b);
                log.record(event, legacy);
                log.failed();
                log.wait(c, event);
                log.launch(c, "sum", &[x], &[]);
            },
        },
    ]
}
