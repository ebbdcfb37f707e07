//! The host and pinned memory.

use antecede_trace::RaceKind::{HostAccessInFlight, UseAfterFree, UseBeforeAlloc};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "the host reads the target of a copy at once",
            faulty: |log| {
                let a = log.stream("A");
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                let copy = log.copy(a, pinned, x);
                let read = log.host_read(pinned);
                vec![(copy, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                log.copy(a, pinned, x);
                log.sync(a);
                log.host_read(pinned);
            },
        },
        Case {
            name: "the host changes the source of a copy in flight",
            faulty: |log| {
                let a = log.stream("A");
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                log.host_write(pinned);
                let copy = log.copy(a, x, pinned);
                let write = log.host_write(pinned);
                vec![(copy, write, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let (x, pinned, event) = (log.outside(64), log.pinned_alloc(64), log.event());
                log.host_write(pinned);
                log.copy(a, x, pinned);
                log.record(event, a);
                // Two readers do not race, in flight or not.
                log.host_read(pinned);
                log.event_sync(event);
                log.host_write(pinned);
            },
        },
        Case {
            name: "the allocator's fill lands after the host's write",
            faulty: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                let fill = log.fill(a, pinned);
                let write = log.host_write(pinned);
                vec![(fill, write, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned);
                log.query(a, true);
                log.host_write(pinned);
            },
        },
        Case {
            name: "the host reads memory of an asynchronous pool before its stream is done",
            faulty: |log| {
                let a = log.stream("A");
                let x = log.outside(64);
                let alloc = log.alloc_at(a, x);
                let read = log.host_read(x.part(32..64));
                let fill = log.fill(a, x.part(0..32));
                let again = log.host_read(x.part(0..32));
                vec![(alloc, read, UseBeforeAlloc), (fill, again, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let x = log.alloc(a, 64);
                log.fill(a, x);
                log.sync(a);
                log.host_read(x);
            },
        },
        Case {
            name: "a query answered `not yet` shows nothing",
            faulty: |log| {
                let a = log.stream("A");
                let (pinned, event) = (log.pinned_alloc(64), log.event());
                let fill = log.fill(a, pinned);
                log.record(event, a);
                log.query(a, false);
                log.event_query(event, false);
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let (pinned, event) = (log.pinned_alloc(64), log.event());
                log.fill(a, pinned);
                log.record(event, a);
                log.event_query(event, true);
                log.host_read(pinned);
            },
        },
        Case {
            name: "another stream is synchronised",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let pinned = log.pinned_alloc(64);
                let fill = log.fill(a, pinned);
                log.sync(b);
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let (a, _) = (log.stream("A"), log.stream("B"));
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned);
                log.context_sync(log.context());
                log.host_read(pinned);
            },
        },
        Case {
            name: "submitted while a sync of the stream was under way",
            faulty: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                let begun = log.begin_sync(a);
                let fill = log.fill(a, pinned);
                log.end(begun);
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned);
                let begun = log.begin_sync(a);
                log.end(begun);
                log.host_read(pinned);
            },
        },
        Case {
            name: "read between the beginning and the end of a sync",
            faulty: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                let fill = log.fill(a, pinned);
                let begun = log.begin_sync(a);
                let read = log.host_read(pinned);
                log.end(begun);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned);
                let begun = log.begin_sync(a);
                log.end(begun);
                log.host_read(pinned);
            },
        },
        Case {
            name: "pinned memory is freed under a copy",
            faulty: |log| {
                let a = log.stream("A");
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                let copy = log.copy(a, x, pinned);
                let free = log.pinned_free(pinned);
                vec![(copy, free, UseAfterFree)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let (x, pinned) = (log.outside(64), log.pinned_alloc(64));
                log.copy(a, x, pinned);
                log.sync(a);
                log.pinned_free(pinned);
            },
        },
        Case {
            name: "a free that waited for the device orders nothing else",
            faulty: |log| {
                let a = log.stream("A");
                let (pinned, other) = (log.pinned_alloc(64), log.pinned_alloc(64));
                let fill = log.fill(a, other);
                log.pinned_free(pinned);
                let read = log.host_read(other);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let (pinned, other) = (log.pinned_alloc(64), log.pinned_alloc(64));
                log.fill(a, other);
                log.sync(a);
                log.pinned_free(pinned);
                log.host_read(other);
            },
        },
    ]
}
