//! Poison, reuse, limits and ranges.

mod common;

use antecede::driver::{DevicePtr, DriverResult, ErrorKind, Pattern};
use antecede_sim::{Order, Sim};
use common::Rig;

fn refused<T: std::fmt::Debug>(result: DriverResult<T>) {
    assert_eq!(result.unwrap_err().kind(), ErrorKind::InvalidValue);
}

#[test]
fn memory_without_contents_shows_poison() {
    for seed in 0..100 {
        let rig = Rig::seeded(seed);
        let stream = rig.stream();
        let poison = rig.sim.poison();
        assert_ne!(poison.fresh, poison.freed);
        let pinned = rig.pinned(300).unwrap();
        assert_eq!(rig.bytes(pinned, 300), [poison.fresh; 300]);
        let x = rig.alloc(&stream, 300).unwrap();
        assert_eq!(rig.bytes(x, 300), [poison.unused; 300], "the allocation has not taken effect");
        assert_eq!(rig.download(&stream, x, 300), [poison.fresh; 300]);
        rig.free(&stream, x).unwrap();
        assert_eq!(rig.bytes(x, 300), [poison.fresh; 300], "neither has the free");
        rig.sync(&stream).unwrap();
        assert_eq!(rig.bytes(x, 300), [poison.freed; 300]);
    }
}

#[test]
fn poison_depends_on_the_seed() {
    let poisons: Vec<_> = (0..20).map(|seed| Rig::seeded(seed).sim.poison()).collect();
    assert!(poisons.iter().any(|poison| *poison != poisons[0]));
}

#[test]
fn use_before_the_allocation_shows() {
    let lost = |seed| {
        let rig = Rig::seeded(seed);
        let (a, b) = (rig.stream(), rig.stream());
        let x = rig.alloc(&a, 8).unwrap();
        rig.fill(&b, x, 1, 8).unwrap();
        rig.sync_all().unwrap();
        rig.bytes(x, 8) != [1; 8]
    };
    let seen = (0..1000).filter(|&seed| lost(seed)).count();
    assert!(seen > 500 && seen < 1000, "{seen}");
}

#[test]
fn freed_memory_is_used_again_at_once() {
    let rig = Rig::seeded(0);
    let (a, b, c) = (rig.stream(), rig.stream(), rig.stream());
    let (x, y) = (rig.alloc(&a, 1000).unwrap(), rig.alloc(&a, 1000).unwrap());
    rig.free(&a, x).unwrap();
    rig.free(&a, y).unwrap();
    let elsewhere = rig.alloc(&b, 1000).unwrap();
    assert!(elsewhere != x && elsewhere != y, "nothing orders `b` after the frees");
    assert_eq!(rig.alloc(&a, 900).unwrap(), y, "the same stream has it at once, the latest free first");
    rig.hand_over(&a, &c);
    assert_eq!(rig.alloc(&c, 1000).unwrap(), x, "an event orders `c` after the free");
    rig.free(&b, elsewhere).unwrap();
    rig.sync(&b).unwrap();
    assert_eq!(rig.alloc(&a, 1000).unwrap(), elsewhere, "a free that has taken effect is before everything");
}

#[test]
fn an_event_recorded_before_the_free_gives_no_memory_away() {
    let rig = Rig::seeded(0);
    let (a, b) = (rig.stream(), rig.stream());
    let x = rig.alloc(&a, 256).unwrap();
    rig.hand_over(&a, &b);
    rig.free(&a, x).unwrap();
    assert_ne!(rig.alloc(&b, 256).unwrap(), x);
}

#[test]
fn order_after_a_free_passes_on_through_events() {
    let rig = Rig::seeded(0);
    let (a, b, c) = (rig.stream(), rig.stream(), rig.stream());
    let x = rig.alloc(&a, 256).unwrap();
    rig.free(&a, x).unwrap();
    rig.hand_over(&a, &b);
    rig.hand_over(&b, &c);
    assert_eq!(rig.alloc(&c, 256).unwrap(), x);
}

#[test]
fn blocks_are_cut_and_joined_again() {
    let rig = Rig::ordered(0, Order::Eager);
    let stream = rig.stream();
    let whole = rig.alloc(&stream, 4096).unwrap();
    rig.free(&stream, whole).unwrap();
    let parts: Vec<_> = (0..16).map(|_| rig.alloc(&stream, 256).unwrap()).collect();
    assert!(parts.iter().all(|part| (whole.0..whole.0 + 4096).contains(&part.0)));
    for (place, part) in parts.iter().enumerate() {
        assert!(part.0.is_multiple_of(256) && !parts[..place].contains(part));
        rig.free(&stream, *part).unwrap();
    }
    assert_eq!(rig.alloc(&stream, 4096).unwrap(), whole);
}

#[test]
fn a_stale_write_hits_the_next_owner() {
    // A free on one stream does not wait for a writer on another: the classic use after free, seen as corruption.
    let corrupted = |seed| {
        let rig = Rig::seeded(seed);
        let (a, b) = (rig.stream(), rig.stream());
        let x = rig.alloc(&a, 64).unwrap();
        rig.sync(&a).unwrap();
        rig.fill(&b, x, 9, 64).unwrap();
        rig.free(&a, x).unwrap();
        let next = rig.alloc(&a, 64).unwrap();
        assert_eq!(next, x);
        rig.fill(&a, next, 1, 64).unwrap();
        rig.sync(&a).unwrap();
        rig.sync(&b).unwrap();
        rig.bytes(next, 64) != [1; 64]
    };
    let seen = (0..1000).filter(|&seed| corrupted(seed)).count();
    assert!(seen > 500 && seen < 1000, "{seen}");
}

#[test]
fn the_limit_of_a_device_is_kept() {
    let sim = Sim::builder().devices(2).memory(1024).build();
    let (rig, other) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
    let stream = rig.stream();
    let x = rig.alloc(&stream, 513).unwrap();
    assert_eq!(rig.alloc(&stream, 257).unwrap_err().kind(), ErrorKind::OutOfMemory);
    assert_eq!(rig.alloc(&stream, usize::MAX).unwrap_err().kind(), ErrorKind::OutOfMemory);
    rig.alloc(&stream, 256).unwrap();
    other.alloc(&other.stream(), 1024).unwrap();
    rig.free(&stream, x).unwrap();
    rig.alloc(&stream, 768).unwrap();
    refused(rig.alloc(&stream, 0));
}

#[test]
fn ranges_outside_one_allocation_are_refused() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    let (x, pinned) = (rig.alloc(&stream, 100).unwrap(), rig.pinned(100).unwrap());
    let pending = rig.sim.live().pending;
    refused(rig.fill(&stream, x.offset(1), 0, 100));
    refused(rig.fill(&stream, x, 0, usize::MAX));
    refused(rig.fill(&stream, DevicePtr::NULL, 0, 1));
    refused(rig.fill(&stream, DevicePtr(u64::MAX), 0, 1));
    refused(rig.fill_with(&stream, x.offset(2), Pattern::D32(0), 1));
    refused(rig.fill_with(&stream, x.offset(1), Pattern::D16(0), 1));
    refused(rig.copy(&stream, x, pinned, 101));
    refused(rig.copy(&stream, x, pinned.offset(50), 51));
    refused(rig.copy(&stream, x, x.offset(10), 11));
    refused(rig.free(&stream, x.offset(1)));
    refused(rig.free(&stream, pinned));
    refused(rig.free_pinned(x));
    assert_eq!(rig.sim.live().pending, pending, "nothing was submitted");

    rig.free(&stream, x).unwrap();
    refused(rig.free(&stream, x));
    refused(rig.fill(&stream, x, 0, 1));
    rig.free_pinned(pinned).unwrap();
    refused(rig.free_pinned(pinned));
    rig.fill(&stream, DevicePtr::NULL, 0, 0).unwrap();
    rig.copy(&stream, DevicePtr::NULL, DevicePtr::NULL, 0).unwrap();
}

#[test]
fn fills_of_each_width_repeat() {
    let rig = Rig::seeded(0);
    let (stream, x) = (rig.stream(), rig.pinned(8).unwrap());
    for (pattern, count) in [(Pattern::D8(7), 8), (Pattern::D16(0x0708), 4), (Pattern::D32(0x0708_090a), 2)] {
        rig.fill_with(&stream, x, pattern, count).unwrap();
        rig.sync(&stream).unwrap();
        let once = match pattern {
            Pattern::D8(value) => vec![value],
            Pattern::D16(value) => value.to_ne_bytes().to_vec(),
            Pattern::D32(value) => value.to_ne_bytes().to_vec(),
        };
        assert_eq!(rig.bytes(x, 8), once.repeat(count));
    }
}

#[test]
fn a_pinned_free_runs_the_context_first() {
    let rig = Rig::seeded(0);
    let (stream, x, y) = (rig.stream(), rig.pinned(8).unwrap(), rig.pinned(8).unwrap());
    rig.fill(&stream, y, 1, 8).unwrap();
    rig.free_pinned(x).unwrap();
    assert_eq!(rig.bytes(y, 8), [1; 8]);
    assert_eq!(rig.bytes(x, 8), [rig.sim.poison().freed; 8]);
    assert_eq!(rig.pinned(8).unwrap(), x, "pinned memory is used again at once too");
}

#[test]
fn devices_reach_each_other_by_copies_alone() {
    let sim = Sim::builder().devices(2).build();
    let (here, there) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
    let (a, b) = (here.stream(), there.stream());
    let (x, y) = (here.alloc(&a, 8).unwrap(), there.alloc(&b, 8).unwrap());
    refused(there.fill(&b, x, 1, 8));
    here.fill(&a, x, 3, 8).unwrap();
    there.wait(&b, &here.recorded(&a)).unwrap();
    there.copy(&b, y, x, 8).unwrap();
    assert_eq!(there.download(&b, y, 8), [3; 8]);
}

#[test]
fn what_lives_is_counted() {
    let rig = Rig::seeded(0);
    let (stream, event) = (rig.stream(), rig.event());
    let (x, pinned) = (rig.alloc(&stream, 100).unwrap(), rig.pinned(50).unwrap());
    let live = rig.sim.live();
    assert_eq!((live.contexts, live.streams, live.events), (1, 1, 1));
    assert_eq!((live.allocations, live.bytes, live.pinned_allocations, live.pinned_bytes), (1, 100, 1, 50));
    assert_eq!(live.pending, 1);
    rig.free(&stream, x).unwrap();
    rig.free_pinned(pinned).unwrap();
    rig.destroy_event(&event).unwrap();
    rig.destroy(&stream).unwrap();
    rig.close().unwrap();
    let live = rig.sim.live();
    assert_eq!((live.contexts, live.streams, live.events, live.pending), (0, 0, 0, 0));
    assert_eq!((live.allocations, live.bytes, live.pinned_allocations, live.pinned_bytes), (0, 0, 0, 0));
}
