//! Pools: whose memory is whose, what is kept and what goes back.

mod common;

use antecede::driver::{DevicePtr, DriverResult, ErrorKind, PoolAttribute, PoolRef, Space};
use antecede_sim::{Call, Fault, Sim};
use common::Rig;

fn fails<T: std::fmt::Debug>(result: DriverResult<T>, kind: ErrorKind) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

fn statistics(rig: &Rig, pool: &PoolRef) -> [u64; 4] {
    let wanted =
        [PoolAttribute::UsedBytes, PoolAttribute::UsedHigh, PoolAttribute::ReservedBytes, PoolAttribute::ReservedHigh];
    wanted.map(|attribute| rig.ask(pool, attribute).unwrap())
}

#[test]
fn memory_of_each_space_comes_from_its_pool() {
    for space in [Space::DeviceMemory, Space::PinnedMemory, Space::ManagedMemory] {
        let rig = Rig::seeded(0);
        let (stream, pool) = (rig.stream(), rig.pool(space).unwrap());
        let x = rig.alloc_in(&stream, &pool, 300).unwrap();
        assert_eq!(rig.bytes(x, 300), [rig.sim.poison().unused; 300], "the allocation has not taken effect");
        rig.fill(&stream, x, 7, 100).unwrap();
        let expected = [[7; 100].as_slice(), &[rig.sim.poison().fresh; 200]].concat();
        assert_eq!(rig.download(&stream, x, 300), expected);
        let live = rig.sim.live();
        let counted = [live.allocations, live.pinned_allocations, live.managed_allocations];
        let expected = match space {
            Space::DeviceMemory => [1, 1, 0],
            Space::PinnedMemory => [0, 2, 0],
            Space::ManagedMemory => [0, 1, 1],
        };
        assert_eq!((counted, live.pools), (expected, 1));
        fails(rig.free_pinned(x), ErrorKind::InvalidValue);
        fails(rig.free_managed(x), ErrorKind::InvalidValue);
        fails(rig.destroy_pool(&pool), ErrorKind::InvalidValue);
        rig.free(&stream, x).unwrap();
        fails(rig.destroy_pool(&pool), ErrorKind::InvalidValue);
        rig.sync(&stream).unwrap();
        assert_eq!(rig.bytes(x, 300), [rig.sim.poison().freed; 300]);
        rig.destroy_pool(&pool).unwrap();
        assert_eq!(rig.sim.live().pools, 0);
        fails(rig.alloc_in(&stream, &pool, 8), ErrorKind::InvalidHandle);
    }
}

#[test]
fn devices_may_lack_pools_of_a_space() {
    for missing in [Space::DeviceMemory, Space::PinnedMemory, Space::ManagedMemory] {
        let rig = Rig::of(Sim::builder().pools(missing, false));
        for space in [Space::DeviceMemory, Space::PinnedMemory, Space::ManagedMemory] {
            match rig.pool(space) {
                Ok(_) => assert_ne!(space, missing),
                Err(error) => assert_eq!((space, error.kind()), (missing, ErrorKind::NotSupported)),
            }
        }
    }
}

#[test]
fn freed_memory_stays_in_its_pool() {
    let rig = Rig::seeded(0);
    let (stream, mine, other) =
        (rig.stream(), rig.pool(Space::DeviceMemory).unwrap(), rig.pool(Space::DeviceMemory).unwrap());
    let x = rig.alloc_in(&stream, &mine, 256).unwrap();
    rig.free(&stream, x).unwrap();
    assert_ne!(rig.alloc_in(&stream, &other, 256).unwrap(), x);
    assert_ne!(rig.alloc(&stream, 256).unwrap(), x, "the default pool is another one");
    assert_eq!(rig.alloc_in(&stream, &mine, 256).unwrap(), x);

    let y = rig.alloc(&stream, 256).unwrap();
    rig.free(&stream, y).unwrap();
    assert_ne!(rig.alloc_in(&stream, &mine, 256).unwrap(), y);
}

#[test]
fn a_sync_gives_back_what_is_above_the_threshold() {
    let rig = Rig::seeded(0);
    let (stream, pool, other) =
        (rig.stream(), rig.pool(Space::DeviceMemory).unwrap(), rig.pool(Space::DeviceMemory).unwrap());
    let allocate = |bytes| rig.alloc_in(&stream, &pool, bytes).unwrap();
    let blocks = [allocate(1024), allocate(1024), allocate(1000)];
    assert_eq!(statistics(&rig, &pool), [3072; 4]);
    rig.free(&stream, blocks[0]).unwrap();
    rig.free(&stream, blocks[1]).unwrap();
    assert_eq!(statistics(&rig, &pool), [1024, 3072, 3072, 3072], "nothing goes back before a sync");

    rig.set(&pool, PoolAttribute::ReleaseThreshold, u64::MAX).unwrap();
    rig.sync(&stream).unwrap();
    assert_eq!(rig.ask(&pool, PoolAttribute::ReservedBytes), Ok(3072), "all is kept below the threshold");
    rig.set(&pool, PoolAttribute::ReleaseThreshold, 2600).unwrap();
    rig.event_sync(&rig.recorded(&stream)).unwrap();
    assert_eq!(rig.ask(&pool, PoolAttribute::ReservedBytes), Ok(2816), "whole units go back");
    rig.set(&pool, PoolAttribute::ReleaseThreshold, 0).unwrap();
    rig.sync_all().unwrap();
    assert_eq!(statistics(&rig, &pool), [1024, 3072, 1024, 3072]);

    let taken = rig.alloc_in(&stream, &other, 1024).unwrap();
    assert!(blocks[..2].contains(&taken), "the system's memory is anyone's");
    assert_eq!(statistics(&rig, &other), [1024; 4]);
    allocate(256);
    assert_eq!(statistics(&rig, &pool), [1280, 3072, 1280, 3072]);
}

#[test]
fn a_trim_takes_no_memory_whose_free_is_pending() {
    let rig = Rig::seeded(0);
    let (stream, pool) = (rig.stream(), rig.pool(Space::DeviceMemory).unwrap());
    rig.set(&pool, PoolAttribute::ReleaseThreshold, u64::MAX).unwrap();
    let (x, y) = (rig.alloc_in(&stream, &pool, 512).unwrap(), rig.alloc_in(&stream, &pool, 512).unwrap());
    rig.free(&stream, x).unwrap();
    rig.trim(&pool, 0).unwrap();
    assert_eq!(rig.ask(&pool, PoolAttribute::ReservedBytes), Ok(1024));
    rig.sync(&stream).unwrap();
    rig.trim(&pool, 768).unwrap();
    assert_eq!(rig.ask(&pool, PoolAttribute::ReservedBytes), Ok(768));
    rig.trim(&pool, 0).unwrap();
    assert_eq!(rig.ask(&pool, PoolAttribute::ReservedBytes), Ok(512), "what is allocated stays");
    rig.free(&stream, y).unwrap();
}

#[test]
fn reuse_on_other_streams_can_be_switched_off() {
    // Freed on one stream; taken on another that an event has ordered after the free, or once the free has completed.
    let reuses = |off: &[PoolAttribute], event: bool| {
        let rig = Rig::seeded(0);
        let (a, b, pool) = (rig.stream(), rig.stream(), rig.pool(Space::DeviceMemory).unwrap());
        rig.set(&pool, PoolAttribute::ReleaseThreshold, u64::MAX).unwrap();
        off.iter().for_each(|&attribute| {
            assert_eq!(rig.ask(&pool, attribute), Ok(1));
            rig.set(&pool, attribute, 0).unwrap();
            assert_eq!(rig.ask(&pool, attribute), Ok(0));
        });
        let x = rig.alloc_in(&a, &pool, 256).unwrap();
        rig.free(&a, x).unwrap();
        match event {
            true => rig.hand_over(&a, &b),
            false => rig.sync(&a).unwrap(),
        }
        let there = rig.alloc_in(&b, &pool, 256).unwrap();
        assert!(there == x || rig.alloc_in(&a, &pool, 256).unwrap() == x, "its own stream always may");
        there == x
    };
    let (follow, opportunistic) = (PoolAttribute::ReuseFollowEvents, PoolAttribute::ReuseOpportunistic);
    assert!(reuses(&[], true) && reuses(&[], false));
    assert!(!reuses(&[follow], true) && reuses(&[follow], false));
    assert!(reuses(&[opportunistic], true) && !reuses(&[opportunistic], false));
    assert!(reuses(&[PoolAttribute::ReuseInternalDependencies], true));
}

#[test]
fn attributes_that_cannot_be_set_are_refused() {
    let rig = Rig::seeded(0);
    let pool = rig.pool(Space::DeviceMemory).unwrap();
    for attribute in
        [PoolAttribute::UsedBytes, PoolAttribute::UsedHigh, PoolAttribute::ReservedBytes, PoolAttribute::ReservedHigh]
    {
        fails(rig.set(&pool, attribute, 0), ErrorKind::InvalidValue);
    }
    fails(rig.set(&pool, PoolAttribute::ReuseFollowEvents, 2), ErrorKind::InvalidValue);
    rig.set(&pool, PoolAttribute::ReleaseThreshold, 12).unwrap();
    assert_eq!(rig.ask(&pool, PoolAttribute::ReleaseThreshold), Ok(12));
}

#[test]
fn pools_belong_to_their_context_and_space() {
    let sim = Sim::builder().devices(2).memory(1024).build();
    let (here, there) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
    let (pool, a, b) = (here.pool(Space::DeviceMemory).unwrap(), here.stream(), there.stream());
    fails(there.alloc_in(&b, &pool, 8), ErrorKind::InvalidValue);
    fails(here.alloc_in(&a, &PoolRef { space: Space::PinnedMemory, ..pool }, 8), ErrorKind::InvalidHandle);
    fails(here.alloc_in(&a, &PoolRef { context: there.context, ..pool }, 8), ErrorKind::InvalidHandle);
    // The default pools were made first.
    fails(here.alloc_in(&a, &PoolRef { handle: pool.handle - 2, ..pool }, 8), ErrorKind::InvalidHandle);
    fails(here.alloc_in(&a, &pool, 0), ErrorKind::InvalidValue);
    here.alloc(&a, 512).unwrap();
    fails(here.alloc_in(&a, &pool, 513), ErrorKind::OutOfMemory);
    let pinned = here.pool(Space::PinnedMemory).unwrap();
    here.alloc_in(&a, &pinned, 4096).unwrap();
}

#[test]
fn managed_memory_is_host_memory() {
    let rig = Rig::seeded(0);
    let (stream, x) = (rig.stream(), rig.managed(300).unwrap());
    assert_eq!(rig.bytes(x, 300), [rig.sim.poison().fresh; 300]);
    rig.host_write(x, 1, 300);
    let y = rig.alloc(&stream, 300).unwrap();
    rig.copy(&stream, y, x, 300).unwrap();
    assert_eq!(rig.download(&stream, y, 300), [1; 300]);
    assert_eq!((rig.sim.live().managed_allocations, rig.sim.live().managed_bytes), (1, 300));
    fails(rig.free_pinned(x), ErrorKind::InvalidValue);
    fails(rig.free(&stream, x), ErrorKind::InvalidValue);
    fails(rig.managed(0), ErrorKind::InvalidValue);

    let pinned = rig.pinned(1).unwrap();
    fails(rig.free_managed(pinned), ErrorKind::InvalidValue);
    rig.fill(&stream, pinned, 9, 1).unwrap();
    rig.free_managed(x).unwrap();
    assert_eq!(rig.bytes(pinned, 1), [9], "the free runs the context first");
    assert_eq!(rig.bytes(x, 300), [rig.sim.poison().freed; 300]);
    fails(rig.free_managed(x), ErrorKind::InvalidValue);
    assert_eq!(rig.sim.live().managed_allocations, 0);
}

#[test]
fn what_creates_memory_and_pools_fails_before_it_creates() {
    let rig = Rig::seeded(0);
    let (stream, pool) = (rig.stream(), rig.pool(Space::DeviceMemory).unwrap());
    let live = rig.sim.live();
    rig.sim.faults().inject(Fault::every().after_submitting());
    fails(rig.managed(8), ErrorKind::Injected);
    fails(rig.pool(Space::DeviceMemory), ErrorKind::Injected);
    fails(rig.alloc_in(&stream, &pool, 8), ErrorKind::Injected);
    assert_eq!(rig.sim.live(), live);
    rig.sim.faults().clear();

    let before = rig.sim.calls();
    let x: DevicePtr = rig.alloc_in(&stream, &pool, 8).unwrap();
    rig.free(&stream, x).unwrap();
    rig.ask(&pool, PoolAttribute::UsedBytes).unwrap();
    rig.trim(&pool, 0).unwrap();
    let calls = rig.sim.calls().since(&before);
    assert!(calls.iter().eq([(Call::Free, 1), (Call::PoolTrim, 1), (Call::PoolAttribute, 1), (Call::PoolAlloc, 1)]));
    let names =
        r#"{"cuMemFreeAsync": 1, "cuMemPoolTrimTo": 1, "cuMemPoolGetAttribute": 1, "cuMemAllocFromPoolAsync": 1}"#;
    assert_eq!(format!("{calls:?}"), names);
}
