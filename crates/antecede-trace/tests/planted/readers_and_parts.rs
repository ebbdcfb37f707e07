//! Buffers that several streams read, or that are used in parts.

use antecede_trace::RaceKind::{ReadAfterWrite, UseAfterFree, WriteAfterRead, WriteAfterWrite};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "shared and taken back with no reader: the writer is not waited for",
            faulty: |log| {
                let (up, compute) = (log.stream("Up"), log.stream("Compute"));
                let (x, shared) = (log.outside(64), log.event());
                let write = log.fill(up, x);
                log.record(shared, up);
                let again = log.fill(compute, x);
                vec![(write, again, WriteAfterWrite)]
            },
            fixed: |log| {
                let (up, compute) = (log.stream("Up"), log.stream("Compute"));
                let (x, shared) = (log.outside(64), log.event());
                log.fill(up, x);
                log.record(shared, up);
                log.wait(compute, shared);
                log.fill(compute, x);
            },
        },
        Case {
            name: "one of three readers is lost when the buffer is taken back",
            faulty: |log| {
                let home = log.stream("Home");
                let readers = [log.stream("One"), log.stream("Two"), log.stream("Three")];
                let (x, shared) = (log.outside(64), log.event());
                log.fill(home, x);
                log.record(shared, home);
                let reads = readers.map(|reader| {
                    log.wait(reader, shared);
                    log.launch(reader, "sum", &[x], &[])
                });
                for reader in [readers[0], readers[2]] {
                    let joined = log.event();
                    log.record(joined, reader);
                    log.wait(home, joined);
                }
                let write = log.fill(home, x);
                vec![(reads[1], write, WriteAfterRead)]
            },
            fixed: |log| {
                let home = log.stream("Home");
                let readers = [log.stream("One"), log.stream("Two"), log.stream("Three")];
                let (x, shared) = (log.outside(64), log.event());
                log.fill(home, x);
                log.record(shared, home);
                for reader in readers {
                    let joined = log.event();
                    log.wait(reader, shared);
                    log.launch(reader, "sum", &[x], &[]);
                    log.record(joined, reader);
                    log.wait(home, joined);
                }
                log.fill(home, x);
            },
        },
        Case {
            name: "a reader whose first wait failed is taken for one that has waited",
            faulty: |log| {
                let (up, reader) = (log.stream("Up"), log.stream("Reader"));
                let (x, shared) = (log.outside(64), log.event());
                let write = log.fill(up, x);
                log.record(shared, up);
                log.wait(reader, shared);
                log.failed();
                let read = log.launch(reader, "sum", &[x], &[]);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (up, reader) = (log.stream("Up"), log.stream("Reader"));
                let (x, shared) = (log.outside(64), log.event());
                log.fill(up, x);
                log.record(shared, up);
                log.wait(reader, shared);
                log.failed();
                log.wait(reader, shared);
                log.launch(reader, "sum", &[x], &[]);
            },
        },
        Case {
            name: "the first of two leases of one stream is released, and its event stands for both",
            faulty: |log| {
                let (home, reader) = (log.stream("Home"), log.stream("Reader"));
                let (x, shared, released) = (log.outside(64), log.event(), log.event());
                log.record(shared, home);
                log.wait(reader, shared);
                log.launch(reader, "sum", &[x], &[]);
                log.record(released, reader);
                let read = log.launch(reader, "max", &[x], &[]);
                log.wait(home, released);
                let write = log.fill(home, x);
                vec![(read, write, WriteAfterRead)]
            },
            fixed: |log| {
                let (home, reader) = (log.stream("Home"), log.stream("Reader"));
                let (x, shared, released) = (log.outside(64), log.event(), log.event());
                log.record(shared, home);
                log.wait(reader, shared);
                log.launch(reader, "sum", &[x], &[]);
                log.launch(reader, "max", &[x], &[]);
                log.record(released, reader);
                log.wait(home, released);
                log.fill(home, x);
            },
        },
        Case {
            name: "a per-thread reader is joined through the per-thread stream of another thread",
            faulty: |log| {
                let (home, theirs, mine) = (log.stream("Home"), log.per_thread(), log.per_thread());
                let (x, shared, joined) = (log.outside(64), log.event(), log.event());
                log.fill(home, x);
                log.record(shared, home);
                log.wait(theirs, shared);
                let read = log.launch(theirs, "sum", &[x], &[]);
                log.record(joined, mine);
                log.wait(home, joined);
                let free = log.free(home, x);
                vec![(read, free, UseAfterFree)]
            },
            fixed: |log| {
                let (home, theirs) = (log.stream("Home"), log.per_thread());
                let (x, shared, joined) = (log.outside(64), log.event(), log.event());
                log.fill(home, x);
                log.record(shared, home);
                log.wait(theirs, shared);
                log.launch(theirs, "sum", &[x], &[]);
                log.record(joined, theirs);
                log.wait(home, joined);
                log.free(home, x);
            },
        },
        Case {
            name: "two parts on two streams, freed behind the last one alone",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, split) = (log.alloc(a, 64), log.event());
                log.record(split, a);
                log.wait(b, split);
                let left = log.fill(a, x.part(0..24));
                log.fill(b, x.part(24..64));
                let free = log.free(b, x);
                vec![(left, free, UseAfterFree)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, split, dropped) = (log.alloc(a, 64), log.event(), log.event());
                log.record(split, a);
                log.wait(b, split);
                log.fill(a, x.part(0..24));
                log.fill(b, x.part(24..64));
                log.record(dropped, a);
                log.wait(b, dropped);
                log.free(b, x);
            },
        },
        Case {
            name: "two parts that overlap by one byte",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(64);
                let left = log.fill(a, x.part(0..33));
                let right = log.fill(b, x.part(32..64));
                vec![(left, right, WriteAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(64);
                log.fill(a, x.part(0..32));
                log.fill(b, x.part(32..64));
            },
        },
        Case {
            name: "two parts joined with the token of one",
            faulty: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (x, of_a) = (log.outside(64), log.event());
                log.fill(a, x.part(0..32));
                let right = log.fill(b, x.part(32..64));
                log.record(of_a, a);
                log.wait(c, of_a);
                let read = log.launch(c, "sum", &[x], &[]);
                vec![(right, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b, c) = (log.stream("A"), log.stream("B"), log.stream("C"));
                let (x, of_a, of_b) = (log.outside(64), log.event(), log.event());
                log.fill(a, x.part(0..32));
                log.fill(b, x.part(32..64));
                log.record(of_a, a);
                log.record(of_b, b);
                log.wait(c, of_a);
                log.wait(c, of_b);
                log.launch(c, "sum", &[x], &[]);
            },
        },
    ]
}
