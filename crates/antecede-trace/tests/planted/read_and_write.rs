//! Reads and writes on two streams.

use antecede_trace::RaceKind::{ReadAfterWrite, WriteAfterRead, WriteAfterWrite};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "an offload copies a block that compute still writes",
            faulty: |log| {
                let (compute, offload) = (log.stream("Compute"), log.stream("Offload"));
                let (block, host) = (log.outside(4096), log.outside(4096));
                let write = log.launch(compute, "attention", &[], &[block]);
                let read = log.copy(offload, host, block);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (compute, offload) = (log.stream("Compute"), log.stream("Offload"));
                let (block, host, event) = (log.outside(4096), log.outside(4096), log.event());
                log.launch(compute, "attention", &[], &[block]);
                log.record(event, compute);
                log.wait(offload, event);
                log.copy(offload, host, block);
            },
        },
        Case {
            name: "one byte of overlap is enough",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(4096);
                let write = log.fill(a, x.part(0..1025));
                let read = log.launch(b, "sum", &[x.part(1024..4096)], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(4096);
                log.fill(a, x.part(0..1024));
                log.launch(b, "sum", &[x.part(1024..4096)], &[]);
            },
        },
        Case {
            name: "the next step overwrites a bucket that the reduction still reads",
            faulty: |log| {
                let (compute, reduce) = (log.stream("Compute"), log.stream("Reduce"));
                let (bucket, event) = (log.outside(4096), log.event());
                log.fill(compute, bucket);
                log.record(event, compute);
                log.wait(reduce, event);
                let read = log.launch(reduce, "all_reduce", &[bucket], &[]);
                let write = log.fill(compute, bucket);
                vec![(read, write, WriteAfterRead)]
            },
            fixed: |log| {
                let (compute, reduce) = (log.stream("Compute"), log.stream("Reduce"));
                let (bucket, there, back) = (log.outside(4096), log.event(), log.event());
                log.fill(compute, bucket);
                log.record(there, compute);
                log.wait(reduce, there);
                log.launch(reduce, "all_reduce", &[bucket], &[]);
                log.record(back, reduce);
                log.wait(compute, back);
                log.fill(compute, bucket);
            },
        },
        Case {
            name: "a writer joins one of two readers",
            faulty: |log| {
                let (home, one, two) = (log.stream("Home"), log.stream("One"), log.stream("Two"));
                let (x, event) = (log.outside(64), log.event());
                log.launch(one, "sum", &[x], &[]);
                let read = log.launch(two, "sum", &[x], &[]);
                log.record(event, one);
                log.wait(home, event);
                let write = log.fill(home, x);
                vec![(read, write, WriteAfterRead)]
            },
            fixed: |log| {
                let (home, one, two) = (log.stream("Home"), log.stream("One"), log.stream("Two"));
                let (x, first, second) = (log.outside(64), log.event(), log.event());
                log.launch(one, "sum", &[x], &[]);
                log.launch(two, "sum", &[x], &[]);
                log.record(first, one);
                log.record(second, two);
                log.wait(home, first);
                log.wait(home, second);
                log.fill(home, x);
            },
        },
        Case {
            name: "two offloads into one block",
            faulty: |log| {
                let (onboard, offload) = (log.stream("Onboard"), log.stream("Offload"));
                let (x, y, block) = (log.outside(64), log.outside(64), log.outside(64));
                let first = log.copy(onboard, block, x);
                let second = log.copy(offload, block, y);
                vec![(first, second, WriteAfterWrite)]
            },
            fixed: |log| {
                let (onboard, offload) = (log.stream("Onboard"), log.stream("Offload"));
                let (x, y, block) = (log.outside(64), log.outside(64), log.outside(64));
                log.copy(onboard, block, x);
                log.sync(onboard);
                log.copy(offload, block, y);
            },
        },
        Case {
            name: "a partial copy after an unordered fill races with each piece once",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, y) = (log.outside(300), log.outside(300));
                let left = log.fill(a, x.part(0..100));
                let right = log.fill(a, x.part(200..300));
                let read = log.copy(b, y, x);
                vec![(left, read, ReadAfterWrite), (right, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, y) = (log.outside(300), log.outside(300));
                log.fill(a, x.part(0..100));
                log.fill(a, x.part(200..300));
                log.copy(b, y.part(100..200), x.part(100..200));
            },
        },
        Case {
            name: "submission order alone, also through a third stream, orders nothing",
            faulty: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (x, y) = (log.outside(64), log.outside(64));
                let write = log.fill(a, x);
                log.fill(b, y);
                log.sync(b);
                let read = log.launch(c, "sum", &[x, y], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (x, y, event) = (log.outside(64), log.outside(64), log.event());
                log.fill(a, x);
                log.record(event, a);
                log.wait(b, event);
                log.fill(b, y);
                log.sync(b);
                log.launch(c, "sum", &[x, y], &[]);
            },
        },
    ]
}
