//! Two devices: peer copies, and memory that one reads at the other.

use antecede_trace::RaceKind::{HostAccessInFlight, ReadAfterWrite, UseAfterFree, UseBeforeAlloc, WriteAfterRead};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "a peer copy reads before the other device has written",
            faulty: |log| {
                let one = log.stream("Compute");
                log.next_context();
                let two = log.stream("Compute");
                let (x, y) = (log.alloc(one, 64), log.alloc(two, 64));
                log.sync(one);
                let write = log.fill(one, x);
                let copy = log.peer_copy(two, y, x);
                vec![(write, copy, ReadAfterWrite)]
            },
            fixed: |log| {
                let one = log.stream("Compute");
                log.next_context();
                let two = log.stream("Compute");
                let (x, y, event) = (log.alloc(one, 64), log.alloc(two, 64), log.event());
                log.fill(one, x);
                // A stream may wait for an event of another context.
                log.record(event, one);
                log.wait(two, event);
                log.peer_copy(two, y, x);
            },
        },
        Case {
            name: "a peer copy writes memory whose allocation it does not wait for",
            faulty: |log| {
                let one = log.stream("Compute");
                log.next_context();
                let two = log.stream("Compute");
                let (x, y) = (log.alloc(one, 64), log.outside(64));
                let alloc = log.alloc_at(two, y);
                let copy = log.peer_copy(one, y, x);
                vec![(alloc, copy, UseBeforeAlloc)]
            },
            fixed: |log| {
                let one = log.stream("Compute");
                log.next_context();
                let two = log.stream("Compute");
                let (x, y) = (log.alloc(one, 64), log.alloc(two, 64));
                log.sync(two);
                log.peer_copy(one, y, x);
            },
        },
        Case {
            name: "the source of a peer copy is written again before the copy is done",
            faulty: |log| {
                let one = log.stream("Compute");
                log.next_context();
                let two = log.stream("Compute");
                let (x, y, event) = (log.alloc(one, 64), log.alloc(two, 64), log.event());
                log.fill(one, x);
                log.record(event, one);
                log.wait(two, event);
                let copy = log.peer_copy(two, y, x);
                let write = log.fill(one, x);
                vec![(copy, write, WriteAfterRead)]
            },
            fixed: |log| {
                let one = log.stream("Compute");
                log.next_context();
                let two = log.stream("Compute");
                let (x, y, event) = (log.alloc(one, 64), log.alloc(two, 64), log.event());
                log.fill(one, x);
                log.record(event, one);
                log.wait(two, event);
                log.peer_copy(two, y, x);
                log.record(event, two);
                log.wait(one, event);
                log.fill(one, x);
            },
        },
        Case {
            name: "the home device frees memory that the other still reads",
            faulty: |log| {
                let home = log.stream("Home");
                log.next_context();
                let peer = log.stream("Peer");
                let (x, event) = (log.alloc(home, 64), log.event());
                log.fill(home, x);
                log.record(event, home);
                log.wait(peer, event);
                let read = log.launch(peer, "sum", &[x], &[]);
                let free = log.free(home, x);
                vec![(read, free, UseAfterFree)]
            },
            fixed: |log| {
                let home = log.stream("Home");
                log.next_context();
                let peer = log.stream("Peer");
                let (x, event) = (log.alloc(home, 64), log.event());
                log.fill(home, x);
                log.record(event, home);
                log.wait(peer, event);
                log.launch(peer, "sum", &[x], &[]);
                log.record(event, peer);
                log.wait(home, event);
                log.free(home, x);
            },
        },
        Case {
            name: "the legacy streams of two devices order nothing between them",
            faulty: |log| {
                let (a, legacy) = (log.blocking("A"), log.legacy());
                log.next_context();
                let (other_legacy, b) = (log.legacy(), log.blocking("B"));
                let (x, event, other_event) = (log.outside(64), log.event(), log.event());
                let write = log.fill(a, x);
                log.record(event, legacy);
                log.record(other_event, other_legacy);
                let read = log.launch(b, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, legacy) = (log.blocking("A"), log.legacy());
                log.next_context();
                let (other_legacy, b) = (log.legacy(), log.blocking("B"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, legacy);
                log.wait(other_legacy, event);
                log.launch(b, "sum", &[x], &[]);
            },
        },
        Case {
            name: "the legacy stream of the wrong device is synchronised",
            faulty: |log| {
                let a = log.blocking("A");
                log.legacy();
                log.next_context();
                let other_legacy = log.legacy();
                let pinned = log.pinned_alloc(64);
                let fill = log.fill(a, pinned);
                log.sync(other_legacy);
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let (a, legacy) = (log.blocking("A"), log.legacy());
                log.next_context();
                log.legacy();
                let pinned = log.pinned_alloc(64);
                log.fill(a, pinned);
                log.sync(legacy);
                log.host_read(pinned);
            },
        },
    ]
}
