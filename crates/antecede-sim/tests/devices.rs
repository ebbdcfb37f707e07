//! What devices tell of themselves, and how they reach each other.

mod common;

use antecede::driver::{DeviceAttribute, DriverResult, ErrorKind, Space, StreamId, StreamKind};
use antecede_sim::{Call, Sim};
use common::kernels::{ADD, MODULE};
use common::{Param, Rig};

fn fails<T: std::fmt::Debug>(result: DriverResult<T>, kind: ErrorKind) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

fn two(sim: Sim) -> (Rig, Rig) {
    (Rig::on(sim.clone(), 0), Rig::on(sim, 1))
}

#[test]
fn priorities_are_clamped() {
    let rig = Rig::seeded(0);
    assert_eq!(rig.priority_range(), Ok((0, -5)));
    for (asked, given) in [(0, 0), (-3, -3), (-5, -5), (1, 0), (i32::MAX, 0), (-6, -5), (i32::MIN, -5)] {
        let stream = rig.create(StreamId::fresh(), StreamKind::BlockingStream, asked).unwrap();
        assert_eq!(rig.sim.stream_priority(stream.id), Some(given));
    }
    assert_eq!(rig.sim.stream_priority(StreamId::fresh()), None);
}

#[test]
fn attributes_are_as_built() {
    const ALL: [DeviceAttribute; 3] =
        [DeviceAttribute::ConcurrentManagedAccess, DeviceAttribute::PinnedPools, DeviceAttribute::ManagedPools];
    let told = |rig: &Rig| ALL.map(|attribute| rig.attribute(attribute).unwrap());
    assert_eq!(told(&Rig::seeded(0)), [1; 3]);
    assert_eq!(told(&Rig::of(Sim::builder().concurrent_managed_access(false))), [0, 1, 1]);
    assert_eq!(told(&Rig::of(Sim::builder().pools(Space::PinnedMemory, false))), [1, 0, 1]);
    assert_eq!(told(&Rig::of(Sim::builder().pools(Space::ManagedMemory, false))), [1, 1, 0]);
}

#[test]
fn launches_and_fills_reach_a_peer_once_it_is_enabled() {
    let (here, there) = two(Sim::builder().devices(2).build());
    let (a, b, module) = (here.stream(), there.stream(), there.load(&MODULE));
    let (x, y) = (here.alloc(&a, 8).unwrap(), there.alloc(&b, 8).unwrap());
    here.fill(&a, x, 0, 8).unwrap();
    there.wait(&b, &here.recorded(&a)).unwrap();
    let launch = |rig: &Rig| rig.launch(&b, &module, ADD, &[Param::U32(3), Param::Read(x, 8), Param::Write(y, 8)]);
    fails(launch(&there), ErrorKind::InvalidValue);
    fails(there.fill(&b, x, 1, 8), ErrorKind::InvalidValue);
    assert_eq!(there.peer_possible(&here), Ok(true));
    here.enable_peer(&there).unwrap();
    fails(launch(&there), ErrorKind::InvalidValue);
    there.enable_peer(&here).unwrap();
    there.enable_peer(&here).unwrap();
    launch(&there).unwrap();
    assert_eq!(there.download(&b, y, 8), 3u32.to_ne_bytes().repeat(2));
    assert_eq!(there.sim.calls().of(Call::PeerEnable), 3);

    // Only the default pool is opened.
    let pool = here.pool(Space::DeviceMemory).unwrap();
    let own = here.alloc_in(&a, &pool, 8).unwrap();
    fails(there.fill(&b, own, 1, 8), ErrorKind::InvalidValue);
    here.fill(&a, own, 1, 8).unwrap();
}

#[test]
fn peers_may_be_out_of_reach() {
    let (here, there) = two(Sim::builder().devices(2).peer_access(false).build());
    assert_eq!(here.peer_possible(&there), Ok(false));
    fails(here.enable_peer(&there), ErrorKind::NotSupported);
    let (here, there) = two(Sim::builder().devices(2).build());
    assert_eq!((here.peer_possible(&there), here.peer_possible(&here)), (Ok(true), Ok(false)));
    fails(here.enable_peer(&here), ErrorKind::InvalidValue);
}

#[test]
fn copies_go_between_devices_with_and_without_peer_access() {
    for possible in [false, true] {
        let (here, there) = two(Sim::builder().devices(3).peer_access(possible).build());
        let third = Rig::on(here.sim.clone(), 2);
        let (a, b, c) = (here.stream(), there.stream(), third.stream());
        let (x, y) = (here.alloc(&a, 8).unwrap(), there.alloc(&b, 8).unwrap());
        here.fill(&a, x, 5, 8).unwrap();
        there.wait(&b, &here.recorded(&a)).unwrap();
        there.peer_copy(&b, (&there, y), (&here, x), 8).unwrap();
        assert_eq!(there.download(&b, y, 8), [5; 8]);
        there.fill(&b, y, 6, 8).unwrap();
        here.wait(&a, &there.recorded(&b)).unwrap();
        here.peer_copy(&a, (&here, x), (&there, y), 8).unwrap();
        assert_eq!(here.download(&a, x, 8), [6; 8]);

        let pinned = here.pinned(8).unwrap();
        fails(there.peer_copy(&b, (&here, y), (&there, x), 8), ErrorKind::InvalidValue);
        fails(there.peer_copy(&b, (&there, y), (&here, pinned), 8), ErrorKind::InvalidValue);
        fails(there.peer_copy(&b, (&there, y), (&here, x), 9), ErrorKind::InvalidValue);
        fails(third.peer_copy(&c, (&there, y), (&here, x), 8), ErrorKind::InvalidValue);
        there.peer_copy(&b, (&there, y), (&here, x), 0).unwrap();
    }
}

#[test]
fn a_missing_wait_between_devices_shows() {
    let wrong = |seed, wait: bool| {
        let (here, there) = two(Sim::builder().devices(2).seed(seed).build());
        let (a, b) = (here.stream(), there.stream());
        let (x, seen) = (here.alloc(&a, 8).unwrap(), there.alloc(&b, 8).unwrap());
        here.sync(&a).unwrap();
        here.fill(&a, x, 5, 8).unwrap();
        if wait {
            there.wait(&b, &here.recorded(&a)).unwrap();
        }
        there.peer_copy(&b, (&there, seen), (&here, x), 8).unwrap();
        there.download(&b, seen, 8) != [5; 8]
    };
    assert!((0..500).all(|seed| !wrong(seed, true)));
    assert!((0..500).filter(|&seed| wrong(seed, false)).count() > 250);
}
