//! Stale, unrecorded and misdirected events.

use antecede_trace::RaceKind::{HostAccessInFlight, ReadAfterWrite, WriteAfterWrite};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "the event was recorded before the last write",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x.part(0..32));
                log.record(event, a);
                let late = log.fill(a, x.part(32..64));
                log.wait(b, event);
                let read = log.launch(b, "sum", &[x], &[]);
                vec![(late, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x.part(0..32));
                log.fill(a, x.part(32..64));
                log.record(event, a);
                log.wait(b, event);
                log.launch(b, "sum", &[x], &[]);
            },
        },
        Case {
            name: "a wait does not refresh an event recorded before it",
            faulty: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (x, of_a, of_b) = (log.outside(64), log.event(), log.event());
                log.record(of_b, b);
                let first = log.fill(a, x);
                log.record(of_a, a);
                log.wait(b, of_a);
                log.wait(c, of_b);
                let second = log.fill(c, x);
                vec![(first, second, WriteAfterWrite)]
            },
            fixed: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (x, of_a, of_b) = (log.outside(64), log.event(), log.event());
                log.fill(a, x);
                log.record(of_a, a);
                log.wait(b, of_a);
                log.record(of_b, b);
                log.wait(c, of_b);
                log.fill(c, x);
            },
        },
        Case {
            name: "one event for two streams keeps the last record",
            faulty: |log| {
                let (a, b, join) = (log.stream("A"), log.stream("B"), log.stream("Join"));
                let (x, y, event) = (log.outside(64), log.outside(64), log.event());
                let lost = log.fill(a, x);
                log.record(event, a);
                log.fill(b, y);
                log.record(event, b);
                log.wait(join, event);
                let read = log.launch(join, "sum", &[x, y], &[]);
                vec![(lost, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b, join) = (log.stream("A"), log.stream("B"), log.stream("Join"));
                let (x, y, event) = (log.outside(64), log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, a);
                log.wait(join, event);
                log.fill(b, y);
                log.record(event, b);
                log.wait(join, event);
                log.launch(join, "sum", &[x, y], &[]);
            },
        },
        Case {
            name: "an event that was never recorded",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                let write = log.fill(a, x);
                log.wait(b, event);
                let read = log.launch(b, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, a);
                log.wait(b, event);
                log.launch(b, "sum", &[x], &[]);
            },
        },
        Case {
            name: "recorded again elsewhere after the wait, which keeps its record; the next wait does not",
            faulty: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (x, event) = (log.outside(64), log.event());
                let write = log.fill(a, x);
                log.record(event, a);
                log.wait(b, event);
                log.record(event, c);
                log.launch(b, "sum", &[x], &[]);
                log.wait(c, event);
                let read = log.launch(c, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, a);
                log.wait(b, event);
                log.wait(c, event);
                log.record(event, c);
                log.launch(b, "sum", &[x], &[]);
                log.launch(c, "sum", &[x], &[]);
            },
        },
        Case {
            name: "the wait is on another stream than the use",
            faulty: |log| {
                let (a, b, default) = (log.stream("A"), log.stream("B"), log.stream("Default"));
                let (x, event) = (log.outside(64), log.event());
                let write = log.fill(a, x);
                log.record(event, a);
                log.wait(default, event);
                let read = log.launch(b, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b, default) = (log.stream("A"), log.stream("B"), log.stream("Default"));
                let (x, event) = (log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, a);
                log.wait(default, event);
                log.wait(b, event);
                log.launch(b, "sum", &[x], &[]);
            },
        },
        Case {
            name: "the reduction waits for the last of three copies",
            faulty: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (reduce, bucket, event) = (log.stream("Reduce"), log.outside(300), log.event());
                let first = log.fill(a, bucket.part(0..100));
                let second = log.fill(b, bucket.part(100..200));
                log.fill(c, bucket.part(200..300));
                log.record(event, c);
                log.wait(reduce, event);
                let read = log.launch(reduce, "all_reduce", &[bucket], &[]);
                vec![(first, read, ReadAfterWrite), (second, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (reduce, bucket) = (log.stream("Reduce"), log.outside(300));
                for (place, stream) in [a, b, c].into_iter().enumerate() {
                    let event = log.event();
                    log.fill(stream, bucket.part(place * 100..place * 100 + 100));
                    log.record(event, stream);
                    log.wait(reduce, event);
                }
                log.launch(reduce, "all_reduce", &[bucket], &[]);
            },
        },
        Case {
            name: "an event recorded anew while the host waits may be either record",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (pinned, event) = (log.pinned_alloc(64), log.event());
                let fill = log.fill(a, pinned);
                log.record(event, a);
                let begun = log.begin_event_sync(event);
                log.record(event, b);
                log.end(begun);
                let read = log.host_read(pinned);
                vec![(fill, read, HostAccessInFlight)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (pinned, event) = (log.pinned_alloc(64), log.event());
                log.fill(a, pinned);
                log.record(event, a);
                let begun = log.begin_event_sync(event);
                log.end(begun);
                log.record(event, b);
                log.host_read(pinned);
            },
        },
    ]
}
