//! Litmus tests: what the rules allow is seen, what they forbid never is.

mod common;

use antecede_sim::Order;
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
