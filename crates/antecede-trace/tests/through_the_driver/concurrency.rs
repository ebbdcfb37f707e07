//! Traces under several threads.

use std::sync::mpsc;
use std::sync::{Barrier, Mutex};
use std::thread;

use antecede_trace::{Call, NullDriver, Outcome, RaceKind, Trace, judge};

use super::bench::Bench;
use super::hooked::Hooked;

#[test]
fn the_log_is_in_the_order_that_the_inner_driver_saw() {
    const THREADS: usize = 4;
    let inner = Trace::new(NullDriver::new());
    let outer = Trace::new(inner.clone());
    let bench = Bench::new(outer.clone());
    let (a, start) = (bench.stream("A"), Barrier::new(THREADS));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let event = bench.event();
                start.wait();
                for _ in 0..500 {
                    let x = bench.alloc(&a, 64).unwrap();
                    bench.fill(&a, x, 4).unwrap();
                    bench.record(&event, &a).unwrap();
                    bench.wait(&a, &event).unwrap();
                    bench.free(&a, x).unwrap();
                }
            });
        }
    });
    let calls = |trace: &Trace| {
        let log = trace.log();
        log.entries().iter().map(|entry| (entry.seq, entry.thread, entry.call, entry.event)).collect::<Vec<_>>()
    };
    // Not `assert_eq`: thousands of entries are no message.
    assert!(calls(&outer) == calls(&inner), "the outer log is in another order than the inner one");
    assert_eq!(outer.counts().of(Call::Fill), 2_000);
}

/// Hangs if the lock is held across the wait.
#[test]
fn other_threads_submit_while_one_waits() {
    let (begun, has_begun) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let (begun, released) = (Mutex::new(begun), Mutex::new(released));
    let trace = Trace::new(Hooked::driver(move |call| {
        if call == Call::StreamSync {
            begun.lock().unwrap().send(()).unwrap();
            released.lock().unwrap().recv().unwrap();
        }
        Ok(())
    }));
    let bench = Bench::new(trace.clone());
    let a = bench.stream("A");
    let pinned = bench.pinned_alloc(64).unwrap();
    trace.clear();
    thread::scope(|scope| {
        scope.spawn(|| bench.sync(&a).unwrap());
        has_begun.recv().unwrap();
        bench.fill(&a, pinned, 4).unwrap();
        release.send(()).unwrap();
    });
    bench.driver.note_host_access(antecede::driver::Access { ptr: pinned, bytes: 64, write: false });

    let log = trace.log();
    let calls: Vec<_> = log.entries().iter().map(|entry| entry.call).collect();
    assert_eq!(calls, [Call::StreamSync, Call::Fill, Call::StreamSync, Call::HostRead]);
    assert_eq!(log.entries()[2].outcome, Outcome::Ended { begun: log.entries()[0].seq });
    assert_ne!(log.entries()[0].thread, log.entries()[1].thread);
    assert_eq!(log.entries()[0].thread, log.entries()[2].thread);
    let kinds: Vec<_> = judge(&log).races().iter().map(|race| race.kind).collect();
    assert_eq!(kinds, [RaceKind::HostAccessInFlight], "the sync does not cover what was submitted after it began");
}

#[test]
fn a_thread_counts_its_own_calls() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let a = bench.stream("A");
    let mark = trace.mark();
    bench.sync(&a).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            bench.sync(&a).unwrap();
            bench.sync(&a).unwrap();
            assert_eq!(trace.thread_counts().total(), 2);
            assert_eq!(trace.thread_counts_since(&mark).of(Call::StreamSync), 2);
        });
    });
    assert_eq!(trace.thread_counts_since(&mark).of(Call::StreamSync), 1);
    assert_eq!(trace.counts_since(&mark).of(Call::StreamSync), 3);
    assert_eq!(trace.thread_counts().total(), 3, "opened, created, synchronised");
}
