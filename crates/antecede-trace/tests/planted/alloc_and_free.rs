//! Lifetimes of memory.

use antecede_trace::RaceKind::{AllocInUse, DoubleFree, ReadAfterWrite, UseAfterFree, UseBeforeAlloc};

use super::Case;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "allocated on the default stream, filled on the generator's own, synchronised too late",
            faulty: |log| {
                let (default, generator) = (log.stream("Default"), log.stream("Generator"));
                let x = log.outside(4096);
                let alloc = log.alloc_at(default, x);
                let fill = log.fill(generator, x);
                log.context_sync(log.context());
                vec![(alloc, fill, UseBeforeAlloc)]
            },
            fixed: |log| {
                let default = log.stream("Default");
                let x = log.alloc(default, 4096);
                log.fill(default, x);
                log.sync(default);
            },
        },
        Case {
            name: "freed on a stream that does not wait for the allocation",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(4096);
                let alloc = log.alloc_at(a, x);
                let free = log.free(b, x);
                vec![(alloc, free, UseBeforeAlloc)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.alloc(a, 4096);
                log.sync(a);
                log.free(b, x);
            },
        },
        Case {
            name: "the free passes the last use on another stream",
            faulty: |log| {
                let (home, worker) = (log.stream("Home"), log.stream("Worker"));
                let (x, event) = (log.alloc(home, 64), log.event());
                log.fill(home, x);
                log.record(event, home);
                log.wait(worker, event);
                let read = log.launch(worker, "sum", &[x], &[]);
                let free = log.free(home, x);
                vec![(read, free, UseAfterFree)]
            },
            fixed: |log| {
                let (home, worker) = (log.stream("Home"), log.stream("Worker"));
                let (x, event) = (log.alloc(home, 64), log.event());
                log.fill(home, x);
                log.record(event, home);
                log.wait(worker, event);
                log.launch(worker, "sum", &[x], &[]);
                log.free(worker, x);
            },
        },
        Case {
            name: "a use after the free, on the same stream too",
            faulty: |log| {
                let a = log.stream("A");
                let x = log.alloc(a, 64);
                let free = log.free(a, x);
                let fill = log.fill(a, x);
                vec![(free, fill, UseAfterFree)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let x = log.alloc(a, 64);
                log.fill(a, x);
                log.free(a, x);
            },
        },
        Case {
            name: "a block freed twice",
            faulty: |log| {
                let a = log.stream("A");
                let x = log.alloc(a, 64);
                let once = log.free(a, x);
                let twice = log.free(a, x);
                vec![(once, twice, DoubleFree)]
            },
            fixed: |log| {
                let a = log.stream("A");
                let x = log.alloc(a, 64);
                log.free(a, x);
                log.alloc_at(a, x);
                log.free(a, x);
            },
        },
        Case {
            name: "the pool gives a freed block away while the old user still reads it",
            faulty: |log| {
                let (aux, caller) = (log.stream("Aux"), log.stream("Caller"));
                let (w, event) = (log.alloc(aux, 64), log.event());
                log.fill(aux, w);
                log.record(event, aux);
                log.wait(caller, event);
                let read = log.launch(caller, "gemm", &[w], &[]);
                let free = log.free(aux, w);
                log.alloc_at(aux, w);
                log.fill(aux, w);
                vec![(read, free, UseAfterFree)]
            },
            fixed: |log| {
                let (aux, caller) = (log.stream("Aux"), log.stream("Caller"));
                let (w, event) = (log.alloc(aux, 64), log.event());
                log.fill(aux, w);
                log.record(event, aux);
                log.wait(caller, event);
                log.launch(caller, "gemm", &[w], &[]);
                log.free(caller, w);
                log.alloc_at(aux, w);
                log.fill(aux, w);
            },
        },
        Case {
            name: "the edge from a free to the allocation of its memory orders nothing else",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, y) = (log.alloc(a, 64), log.outside(64));
                let write = log.fill(a, y);
                log.free(a, x);
                log.alloc_at(b, x);
                let read = log.copy(b, x, y);
                vec![(write, read, ReadAfterWrite)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let (x, y, event) = (log.alloc(a, 64), log.outside(64), log.event());
                log.fill(a, y);
                log.free(a, x);
                log.record(event, a);
                log.alloc_at(b, x);
                log.wait(b, event);
                log.copy(b, x, y);
            },
        },
        Case {
            name: "a driver that hands out memory in use",
            faulty: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(64);
                let first = log.alloc_at(a, x);
                let second = log.alloc_at(b, x.part(32..64));
                vec![(first, second, AllocInUse)]
            },
            fixed: |log| {
                let (a, b) = (log.stream("A"), log.stream("B"));
                let x = log.outside(64);
                log.alloc_at(a, x.part(0..32));
                log.alloc_at(b, x.part(32..64));
            },
        },
        Case {
            name: "the destructor frees on the stored stream after an early return",
            faulty: |log| {
                let (stored, real) = (log.stream("Stored"), log.stream("Real"));
                let x = log.alloc(stored, 64);
                log.sync(stored);
                let write = log.fill(real, x);
                let free = log.free(stored, x);
                vec![(write, free, UseAfterFree)]
            },
            fixed: |log| {
                let (stored, real) = (log.stream("Stored"), log.stream("Real"));
                let x = log.alloc(stored, 64);
                log.sync(stored);
                log.fill(real, x);
                log.free(real, x);
            },
        },
        Case {
            name: "a view's copy is pending when its parent is freed",
            faulty: |log| {
                let (home, transfer) = (log.stream("Home"), log.stream("Transfer"));
                let (parent, target) = (log.alloc(home, 4096), log.outside(64));
                log.sync(home);
                let copy = log.copy(transfer, target, parent.part(1024..1088));
                let free = log.free(home, parent);
                vec![(copy, free, UseAfterFree)]
            },
            fixed: |log| {
                let (home, transfer) = (log.stream("Home"), log.stream("Transfer"));
                let (parent, target, event) = (log.alloc(home, 4096), log.outside(64), log.event());
                log.sync(home);
                log.copy(transfer, target, parent.part(1024..1088));
                log.record(event, transfer);
                log.wait(home, event);
                log.free(home, parent);
            },
        },
    ]
}
