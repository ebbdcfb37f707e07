//! Litmus tests: what the rules allow is seen, what they forbid never is.

mod common;

use std::collections::BTreeSet;

use antecede_sim::{Order, Sim};
use common::Rig;

const SEEDS: u64 = 2000;

/// How many of the seeds show `wrong`.
fn count(order: Order, wrong: impl Fn(&Rig) -> bool) -> u64 {
    (0..SEEDS).filter(|&seed| wrong(&Rig::ordered(seed, order))).count() as u64
}

#[derive(Clone, Copy)]
enum End {
    SyncConsumer,
    SyncContext,
}

/// A producer on one stream, a consumer on another. Whether the consumer saw something else than what was produced.
fn read_after_write(rig: &Rig, wait: bool, end: End) -> bool {
    let (producer, consumer) = (rig.stream(), rig.stream());
    let (x, seen) = (rig.alloc(&producer, 16).unwrap(), rig.pinned(16).unwrap());
    rig.sync(&producer).unwrap();
    rig.fill(&producer, x, 7, 16).unwrap();
    if wait {
        rig.hand_over(&producer, &consumer);
    }
    rig.copy(&consumer, seen, x, 16).unwrap();
    match end {
        End::SyncConsumer => rig.sync(&consumer).unwrap(),
        End::SyncContext => rig.sync_all().unwrap(),
    }
    rig.bytes(seen, 16) != [7; 16]
}

/// A reader on one stream, then a writer on another. Whether the reader saw the later value.
fn write_after_read(rig: &Rig, wait: bool) -> bool {
    let (reader, writer) = (rig.stream(), rig.stream());
    let (x, seen) = (rig.alloc(&reader, 16).unwrap(), rig.pinned(16).unwrap());
    rig.fill(&reader, x, 1, 16).unwrap();
    rig.sync(&reader).unwrap();
    rig.copy(&reader, seen, x, 16).unwrap();
    if wait {
        rig.hand_over(&reader, &writer);
    }
    rig.fill(&writer, x, 2, 16).unwrap();
    rig.sync_all().unwrap();
    rig.bytes(seen, 16) != [1; 16]
}

/// Two writers. Whether the earlier one won.
fn write_after_write(rig: &Rig, wait: bool) -> bool {
    let (first, second) = (rig.stream(), rig.stream());
    let x = rig.pinned(16).unwrap();
    rig.fill(&first, x, 1, 16).unwrap();
    if wait {
        rig.hand_over(&first, &second);
    }
    rig.fill(&second, x, 2, 16).unwrap();
    rig.sync_all().unwrap();
    rig.bytes(x, 16) != [2; 16]
}

#[test]
fn an_overwritten_read_and_a_lost_write_show_for_most_seeds() {
    for race in [write_after_read, write_after_write] {
        let wrong = count(Order::Adversarial, |rig| race(rig, false));
        assert!(wrong > SEEDS / 2 && wrong < SEEDS, "{wrong} of {SEEDS}");
        assert_eq!(count(Order::Adversarial, |rig| race(rig, true)), 0);
    }
}

#[test]
fn streams_interleave_in_each_allowed_way() {
    // Each stream writes its own cell and then reads the other's: of the four outcomes only "neither sees the other's
    // write" has no interleaving.
    let outcome = |seed| {
        let rig = Rig::ordered(seed, Order::Random);
        let (a, b) = (rig.stream(), rig.stream());
        let cells = rig.pinned(4).unwrap();
        rig.host_write(cells, 0, 4);
        rig.fill(&a, cells, 1, 1).unwrap();
        rig.fill(&b, cells.offset(1), 1, 1).unwrap();
        rig.copy(&a, cells.offset(2), cells.offset(1), 1).unwrap();
        rig.copy(&b, cells.offset(3), cells, 1).unwrap();
        rig.sync_all().unwrap();
        rig.bytes(cells.offset(2), 2)
    };
    let seen: BTreeSet<Vec<u8>> = (0..SEEDS).map(outcome).collect();
    assert_eq!(seen, BTreeSet::from([vec![0, 1], vec![1, 0], vec![1, 1]]));
}

#[test]
fn nothing_runs_unless_it_is_asked_for() {
    let rig = Rig::seeded(0);
    let (a, b) = (rig.stream(), rig.stream());
    let x = rig.pinned(1).unwrap();
    rig.host_write(x, 0, 1);
    rig.fill(&a, x, 1, 1).unwrap();
    let event = rig.recorded(&a);
    rig.wait(&b, &event).unwrap();
    rig.destroy_event(&event).unwrap();
    rig.destroy(&a).unwrap();
    assert_eq!(rig.bytes(x, 1), [0]);
    assert_eq!(rig.sim.live().pending, 3);
    rig.sync(&b).unwrap();
    assert_eq!(rig.bytes(x, 1), [1], "what was submitted to a destroyed stream still takes effect");
    assert_eq!(rig.sim.live().pending, 0);
}

#[test]
fn a_context_sync_covers_destroyed_streams_and_no_other_context() {
    let leaves_the_other_alone = |seed| {
        let sim = Sim::builder().devices(2).seed(seed).build();
        let (here, there) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
        let (a, b, x) = (here.stream(), there.stream(), here.pinned(2).unwrap());
        here.fill(&a, x, 1, 1).unwrap();
        here.destroy(&a).unwrap();
        there.fill(&b, x.offset(1), 1, 1).unwrap();
        here.sync_all().unwrap();
        assert_eq!(here.bytes(x, 1), [1], "seed {seed}");
        here.bytes(x.offset(1), 1) != [1]
    };
    let alone = (0..SEEDS).filter(|&seed| leaves_the_other_alone(seed)).count() as u64;
    assert!(alone > SEEDS / 2, "{alone} of {SEEDS}");
}

#[test]
fn a_sync_may_leave_other_streams_alone() {
    let untouched = |rig: &Rig| {
        let (a, b) = (rig.stream(), rig.stream());
        let x = rig.pinned(2).unwrap();
        rig.host_write(x, 0, 2);
        rig.fill(&a, x, 1, 1).unwrap();
        rig.fill(&b, x.offset(1), 1, 1).unwrap();
        rig.sync(&b).unwrap();
        assert_eq!(rig.bytes(x.offset(1), 1), [1]);
        rig.bytes(x, 1) == [0]
    };
    let alone = count(Order::Adversarial, untouched);
    assert!(alone > SEEDS / 2 && alone < SEEDS, "{alone} of {SEEDS}");
}

#[test]
fn a_changed_source_shows() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    let (source, target) = (rig.pinned(8).unwrap(), rig.pinned(8).unwrap());
    rig.host_write(source, 1, 8);
    rig.copy(&stream, target, source, 8).unwrap();
    rig.host_write(source, 2, 8);
    rig.sync(&stream).unwrap();
    assert_eq!(rig.bytes(target, 8), [2; 8]);
}

#[test]
fn one_seed_replays_one_order() {
    let run = |seed| {
        let rig = Rig::ordered(seed, Order::Random);
        let streams: Vec<_> = (0..4).map(|_| rig.stream()).collect();
        let x = rig.pinned(32).unwrap();
        for place in 0..32 {
            rig.fill(&streams[place % 4], x, place as u8, 32 - place).unwrap();
        }
        rig.sync_all().unwrap();
        rig.bytes(x, 32)
    };
    assert!((0..50).all(|seed| run(seed) == run(seed)));
    assert!((0..50).any(|seed| run(seed) != run(seed + 1)));
}

#[test]
fn queries_run_a_little_and_end() {
    for seed in 0..SEEDS / 4 {
        let rig = Rig::seeded(seed);
        let (a, b) = (rig.stream(), rig.stream());
        let x = rig.pinned(1).unwrap();
        (0..40).for_each(|byte| rig.fill(&a, x, byte, 1).unwrap());
        let event = rig.recorded(&a);
        rig.hand_over(&a, &b);
        rig.fill(&b, x, 99, 1).unwrap();

        let event_polls = (0..1000).position(|_| rig.event_query(&event).unwrap()).unwrap();
        assert!(event_polls > 1, "41 operations are not run by two queries");
        let stream_polls = (0..1000).position(|_| rig.query(&b).unwrap());
        assert!(stream_polls.is_some());
        assert_eq!(rig.bytes(x, 1), [99], "a query that says so speaks the truth");
    }
}

#[test]
fn a_missing_wait_shows_for_most_seeds() {
    for end in [End::SyncConsumer, End::SyncContext] {
        let wrong = count(Order::Adversarial, |rig| read_after_write(rig, false, end));
        assert!(wrong > SEEDS * 3 / 4, "{wrong} of {SEEDS}");
        assert!(wrong < SEEDS, "the benign order is allowed as well, and is seen");
    }
}

#[test]
fn a_missing_wait_shows_for_some_seeds_in_random_order() {
    let wrong = count(Order::Random, |rig| read_after_write(rig, false, End::SyncContext));
    assert!(wrong > SEEDS / 4 && wrong < SEEDS * 3 / 4, "{wrong} of {SEEDS}");
}

#[test]
fn eager_order_hides_a_missing_wait() {
    assert_eq!(count(Order::Eager, |rig| read_after_write(rig, false, End::SyncConsumer)), 0);
}

#[test]
fn a_wait_orders_for_all_seeds() {
    for order in [Order::Adversarial, Order::Random, Order::Eager] {
        for end in [End::SyncConsumer, End::SyncContext] {
            assert_eq!(count(order, |rig| read_after_write(rig, true, end)), 0);
        }
    }
}
