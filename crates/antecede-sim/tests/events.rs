//! A wait is for the record that was the latest when it was submitted.

mod common;

use antecede::driver::ErrorKind;
use antecede_sim::Sim;
use common::Rig;

const SEEDS: u64 = 2000;

/// Stream `a` writes 1, records, and writes 2; `b` waits and copies. What `b` may see depends on when it waited.
fn snapshot(seed: u64, late_record: bool) -> u8 {
    let rig = Rig::seeded(seed);
    let (a, b) = (rig.stream(), rig.stream());
    let (x, seen) = (rig.pinned(1).unwrap(), rig.pinned(1).unwrap());
    rig.fill(&a, x, 1, 1).unwrap();
    let event = rig.recorded(&a);
    if !late_record {
        rig.wait(&b, &event).unwrap();
    }
    rig.fill(&a, x, 2, 1).unwrap();
    rig.record(&event, &a).unwrap();
    if late_record {
        rig.wait(&b, &event).unwrap();
    }
    rig.copy(&b, seen, x, 1).unwrap();
    rig.sync(&b).unwrap();
    rig.bytes(seen, 1)[0]
}

#[test]
fn a_later_record_does_not_move_a_wait() {
    let values: Vec<u8> = (0..SEEDS).map(|seed| snapshot(seed, false)).collect();
    assert!(values.iter().all(|value| [1, 2].contains(value)), "the write before the first record is waited for");
    let first = values.iter().filter(|value| **value == 1).count();
    assert!(first > values.len() / 2, "the write after it is not: {first} of {}", values.len());
}

#[test]
fn a_wait_takes_the_latest_record() {
    assert!((0..SEEDS).all(|seed| snapshot(seed, true) == 2));
}

#[test]
fn a_destroyed_event_still_holds_its_waits() {
    for seed in 0..SEEDS {
        let rig = Rig::seeded(seed);
        let (a, b) = (rig.stream(), rig.stream());
        let x = rig.pinned(1).unwrap();
        rig.fill(&a, x, 1, 1).unwrap();
        let event = rig.recorded(&a);
        rig.wait(&b, &event).unwrap();
        rig.destroy_event(&event).unwrap();
        // The handle comes back, recorded elsewhere: that must not touch the wait either.
        let other = rig.recorded(&rig.stream());
        assert_eq!(other.handle, event.handle);
        rig.destroy(&a).unwrap();
        rig.fill(&b, x, 2, 1).unwrap();
        rig.sync_all().unwrap();
        assert_eq!(rig.bytes(x, 1), [2], "seed {seed}");
    }
}

#[test]
fn an_event_sync_reaches_its_record() {
    let mut further = 0;
    for seed in 0..SEEDS {
        let rig = Rig::seeded(seed);
        let a = rig.stream();
        let x = rig.pinned(1).unwrap();
        rig.fill(&a, x, 1, 1).unwrap();
        let event = rig.recorded(&a);
        rig.fill(&a, x, 2, 1).unwrap();
        rig.event_sync(&event).unwrap();
        further += u64::from(rig.bytes(x, 1) == [2]);
        assert_ne!(rig.bytes(x, 1), [rig.sim.poison().fresh]);
    }
    assert!(further < SEEDS / 4, "{further}");
}

#[test]
fn an_event_that_was_never_recorded_holds_nothing_back() {
    let rig = Rig::seeded(0);
    let (stream, event) = (rig.stream(), rig.event());
    rig.wait(&stream, &event).unwrap();
    assert_eq!(rig.sim.live().pending, 0);
    assert_eq!(rig.event_query(&event), Ok(true));
    assert_eq!(rig.event_sync(&event), Ok(()));
}

#[test]
fn a_wait_crosses_contexts_and_a_record_does_not() {
    for seed in 0..SEEDS {
        let sim = Sim::builder().devices(2).seed(seed).build();
        let (here, there) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
        let (a, b) = (here.stream(), there.stream());
        let x = here.pinned(1).unwrap();
        here.fill(&a, x, 1, 1).unwrap();
        there.wait(&b, &here.recorded(&a)).unwrap();
        there.fill(&b, x, 2, 1).unwrap();
        there.sync_all().unwrap();
        assert_eq!(here.bytes(x, 1), [2]);
        assert_eq!(here.record(&here.event(), &b).unwrap_err().kind(), ErrorKind::InvalidHandle);
    }
}
