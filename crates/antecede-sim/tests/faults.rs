//! Failures that a test asks for, and the counts of calls.

mod common;

use std::thread;

use antecede::driver::{DriverResult, ErrorKind};
use antecede_sim::{Call, Fault, Order};
use common::Rig;

fn injected<T: std::fmt::Debug>(result: DriverResult<T>, call: Call) {
    let error = result.unwrap_err();
    assert_eq!((error.kind(), error.call), (ErrorKind::Injected, call.name()));
}

#[test]
fn the_nth_call_fails_once_and_submits_nothing() {
    let rig = Rig::seeded(0);
    let (stream, event) = (rig.stream(), rig.event());
    let x = rig.pinned(1).unwrap();
    rig.sim.faults().inject(Fault::nth(3));
    rig.fill(&stream, x, 1, 1).unwrap();
    rig.record(&event, &stream).unwrap();
    injected(rig.fill(&stream, x, 2, 1), Call::Fill);
    assert_eq!(rig.sim.live().pending, 2);
    assert_eq!((rig.sim.faults().open(), rig.sim.faults().struck()), (0, 1));
    rig.sync(&stream).unwrap();
    assert_eq!(rig.bytes(x, 1), [1]);
}

#[test]
fn faults_of_one_kind_spare_the_others() {
    let rig = Rig::seeded(0);
    let (stream, event) = (rig.stream(), rig.event());
    rig.sim.faults().inject(Fault::nth(2).of(Call::EventRecord));
    rig.record(&event, &stream).unwrap();
    rig.wait(&stream, &event).unwrap();
    injected(rig.record(&event, &stream), Call::EventRecord);

    rig.sim.faults().inject(Fault::every().of(Call::EventWait));
    (0..3).for_each(|_| injected(rig.wait(&stream, &event), Call::EventWait));
    rig.record(&event, &stream).unwrap();
    rig.sim.faults().clear();
    rig.wait(&stream, &event).unwrap();
}

#[test]
fn a_failed_record_leaves_the_earlier_one() {
    let rig = Rig::seeded(0);
    let (a, b) = (rig.stream(), rig.stream());
    let event = rig.recorded(&a);
    rig.event_sync(&event).unwrap();
    rig.sim.faults().inject(Fault::nth(1).of(Call::EventRecord));
    injected(rig.record(&event, &b), Call::EventRecord);
    rig.fill(&b, rig.pinned(1).unwrap(), 1, 1).unwrap();
    assert_eq!(rig.event_query(&event), Ok(true));
}

#[test]
fn a_late_fault_has_submitted_all_the_same() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    let (x, device) = (rig.pinned(1).unwrap(), rig.alloc(&stream, 8).unwrap());
    rig.sim.faults().inject(Fault::every().after_submitting());
    injected(rig.fill(&stream, x, 5, 1), Call::Fill);
    injected(rig.free(&stream, device), Call::Free);
    injected(rig.sync(&stream), Call::StreamSync);
    assert_eq!(rig.bytes(x, 1), [5]);
    assert_eq!(rig.sim.live().allocations, 0);
}

#[test]
fn what_creates_fails_before_it_creates() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    let live = rig.sim.live();
    rig.sim.faults().inject(Fault::every().after_submitting());
    injected(rig.alloc(&stream, 8), Call::Alloc);
    injected(rig.pinned(8), Call::PinnedAlloc);
    injected(rig.try_stream(), Call::StreamCreate);
    assert_eq!(rig.sim.live(), live);
}

#[test]
fn a_fault_of_one_thread_spares_the_others() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    rig.sim.faults().inject(Fault::every().of(Call::StreamQuery).on_this_thread());
    thread::scope(|scope| {
        scope.spawn(|| assert!(rig.query(&stream).is_ok()));
    });
    injected(rig.query(&stream), Call::StreamQuery);
    rig.sim.faults().inject(Fault::every().of(Call::StreamSync));
    rig.sim.faults().clear_this_thread();
    assert!(rig.query(&stream).is_ok());
    injected(rig.sync(&stream), Call::StreamSync);
}

#[test]
fn calls_are_counted_by_kind_and_by_thread() {
    let rig = Rig::seeded(0);
    let (a, b) = (rig.stream(), rig.stream());
    let before = (rig.sim.calls(), rig.sim.calls_on_this_thread());
    assert_eq!(before.0, before.1);
    rig.hand_over(&a, &b);
    rig.sim.faults().inject(Fault::nth(1));
    injected(rig.sync(&b), Call::StreamSync);
    let there = thread::scope(|scope| {
        let other = scope.spawn(|| {
            rig.hand_over(&b, &a);
            rig.sim.calls_on_this_thread()
        });
        other.join().unwrap()
    });
    let mine = rig.sim.calls_on_this_thread().since(&before.1);
    let expected = [(Call::StreamSync, 1), (Call::EventCreate, 1), (Call::EventRecord, 1), (Call::EventWait, 1)];
    assert!(mine.iter().eq(expected));
    assert_eq!((there.total(), there.of(Call::StreamSync)), (3, 0));
    assert_eq!(rig.sim.calls().since(&before.0).total(), 7);
    assert_eq!(format!("{there:?}"), r#"{"cuEventCreate": 1, "cuEventRecord": 1, "cuStreamWaitEvent": 1}"#);
}

#[test]
fn eager_order_counts_the_same() {
    let run = |order| {
        let rig = Rig::ordered(3, order);
        let (a, b) = (rig.stream(), rig.stream());
        rig.hand_over(&a, &b);
        rig.sync(&b).unwrap();
        rig.sim.calls()
    };
    assert_eq!(run(Order::Eager), run(Order::Adversarial));
}
