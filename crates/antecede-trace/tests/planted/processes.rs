//! Memory and events of another process.

use antecede_trace::RaceKind::{AllocInUse, DoubleFree, UseAfterFree, WriteAfterWrite};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "an event of another process orders nothing of this one",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, theirs) = (log.import(64), log.imported_event());
                let first = log.fill(a, x);
                log.wait(b, theirs);
                let second = log.fill(b, x);
                vec![(first, second, WriteAfterWrite)]
            },
            // Every stream may use it from the import on.
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, theirs) = (log.import(64), log.imported_event());
                log.wait(b, theirs);
                log.fill(a, x.part(0..32));
                log.fill(b, x.part(32..64));
            },
        },
        Case {
            name: "an imported block is let go of while another stream reads it",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, theirs) = (log.import(64), log.imported_event());
                log.wait(a, theirs);
                let read = log.launch(a, "sum", &[x], &[]);
                log.wait(b, theirs);
                let free = log.free(b, x);
                vec![(read, free, UseAfterFree)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, theirs, done) = (log.import(64), log.imported_event(), log.event());
                log.wait(a, theirs);
                log.launch(a, "sum", &[x], &[]);
                log.record(done, a);
                log.wait(b, done);
                log.free(b, x);
            },
        },
        Case {
            name: "an imported block is used once it was let go of",
            faulty: |log| {
                let a = log.stream("A");
                let x = log.import(64);
                let free = log.free(a, x);
                let read = log.launch(a, "sum", &[x], &[]);
                vec![(free, read, UseAfterFree)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.import(64);
                log.launch(a, "sum", &[x], &[]);
                log.free(a, x);
                log.import_at(x);
                log.launch(b, "sum", &[x], &[]);
            },
        },
        Case {
            name: "an imported block is let go of twice",
            faulty: |log| {
                let a = log.stream("A");
                let x = log.import(64);
                let first = log.free(a, x);
                let second = log.free(a, x);
                vec![(first, second, DoubleFree)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let x = log.import(64);
                log.free(a, x);
                log.import_at(x);
                log.free(a, x);
            },
        },
        Case {
            name: "an import to an address in use",
            faulty: |log| {
                let (a, x) = (log.stream("A"), log.outside(64));
                log.import_at(x);
                let fill = log.fill(a, x);
                let again = log.import_at(x);
                vec![(fill, again, AllocInUse)]
            },
            fixed: |log| {
                let (a, x) = (log.stream("A"), log.outside(64));
                log.import_at(x);
                log.fill(a, x);
                log.free(a, x);
                log.import_at(x);
            },
        },
        Case {
            name: "the rest of an imported block is used without its size being known",
            faulty: |log| {
                let a = log.stream("A");
                let x = log.import(64);
                let free = log.free(a, x);
                log.import_at(x.part(0..1));
                let fill = log.fill(a, x);
                vec![(free, fill, UseAfterFree)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let x = log.import(64);
                log.free(a, x);
                log.import_at(x.part(0..1));
                log.allocation_bytes(x);
                log.fill(a, x);
            },
        },
        Case {
            name: "to learn a block's size orders nothing",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(64);
                log.import_at(x.part(0..1));
                let first = log.fill(a, x.part(32..64));
                log.allocation_bytes(x);
                let second = log.fill(b, x.part(32..64));
                vec![(first, second, WriteAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(64);
                log.import_at(x.part(0..1));
                log.fill(a, x.part(32..64));
                log.allocation_bytes(x);
                log.sync(a);
                log.fill(b, x.part(32..64));
            },
        },
        Case {
            name: "a failed import imports nothing",
            faulty: |log| {
                let a = log.stream("A");
                let x = log.import(64);
                let free = log.free(a, x);
                log.import_at(x);
                log.failed();
                let fill = log.fill(a, x);
                vec![(free, fill, UseAfterFree)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let x = log.import(64);
                log.free(a, x);
                log.import_at(x);
                log.failed();
                log.import_at(x);
                log.fill(a, x);
            },
        },
    ]
}
