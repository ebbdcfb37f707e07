//! The legacy default stream, and the per-thread streams: what orders blocking streams and what does not.

mod common;

use std::thread;

use antecede::driver::{DevicePtr, DriverResult, ErrorKind, StreamId, StreamKind, StreamRef};
use antecede_sim::{Order, Sim};
use common::kernels::{ADD, MODULE};
use common::{Param, Rig};

const SEEDS: u64 = 600;

fn fails<T: std::fmt::Debug>(result: DriverResult<T>, kind: ErrorKind) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

/// What is put on the legacy stream between two blocking streams.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Between {
    Nothing,
    Alloc,
    Query,
    Record,
    Wait,
    Fill,
    Copy,
    Launch,
    Free,
    HostFn,
}

impl Between {
    const EDGES: [Between; 7] =
        [Between::Record, Between::Wait, Between::Fill, Between::Copy, Between::Launch, Between::Free, Between::HostFn];
    const NONE: [Between; 3] = [Between::Nothing, Between::Alloc, Between::Query];

    /// What is prepared beforehand, and completed.
    fn prepare(rig: &Rig, legacy: &StreamRef) -> (DevicePtr, DevicePtr) {
        let spare = (rig.alloc(legacy, 8).unwrap(), rig.pinned(16).unwrap());
        rig.sync_all().unwrap();
        spare
    }

    fn submit(self, rig: &Rig, legacy: &StreamRef, (device, pinned): (DevicePtr, DevicePtr)) {
        match self {
            Between::Nothing => {}
            Between::Alloc => drop(rig.alloc(legacy, 8).unwrap()),
            // Nothing runs in a query here, or what it ran would be ordered.
            Between::Query => assert!(!rig.query(legacy).unwrap() || rig.sim.live().pending == 0),
            Between::Record => drop(rig.recorded(legacy)),
            Between::Wait => {
                let other = rig.stream();
                rig.wait(legacy, &rig.recorded(&other)).unwrap();
            }
            Between::Fill => rig.fill(legacy, pinned, 0, 1).unwrap(),
            Between::Copy => rig.copy(legacy, pinned, pinned.offset(8), 1).unwrap(),
            Between::Launch => {
                let add = [Param::U32(1), Param::Read(pinned, 0), Param::Write(pinned, 0)];
                rig.launch(legacy, &rig.load(&MODULE), ADD, &add).unwrap();
            }
            Between::Free => rig.free(legacy, device).unwrap(),
            Between::HostFn => rig.call(legacy, &[], || {}).unwrap(),
        }
    }
}

/// A fill on one stream, something on the legacy stream, a fill on another. Whether the earlier one won.
fn swapped(rig: &Rig, kinds: [StreamKind; 2], between: Between) -> bool {
    let legacy = rig.stream_of(StreamKind::LegacyStream);
    let [first, second] = kinds.map(|kind| rig.stream_of(kind));
    let spare = Between::prepare(rig, &legacy);
    let x = rig.pinned(16).unwrap();
    rig.fill(&first, x, 1, 16).unwrap();
    between.submit(rig, &legacy, spare);
    rig.fill(&second, x, 2, 16).unwrap();
    rig.sync_all().unwrap();
    rig.bytes(x, 16) != [2; 16]
}

fn count(wrong: impl Fn(&Rig) -> bool) -> u64 {
    (0..SEEDS).filter(|&seed| wrong(&Rig::seeded(seed))).count() as u64
}

#[test]
fn an_operation_on_legacy_orders_blocking_streams() {
    let pairs = [
        [StreamKind::BlockingStream, StreamKind::BlockingStream],
        [StreamKind::BlockingStream, StreamKind::PerThreadStream],
        [StreamKind::PerThreadStream, StreamKind::BlockingStream],
    ];
    for kinds in pairs {
        for between in Between::EDGES {
            assert_eq!(count(|rig| swapped(rig, kinds, between)), 0, "{kinds:?}, {between:?}");
        }
    }
    for order in [Order::Random, Order::Eager] {
        let wrong = |&seed: &u64| swapped(&Rig::ordered(seed, order), pairs[0], Between::Record);
        assert_eq!((0..SEEDS).filter(wrong).count(), 0);
    }
}

#[test]
fn without_an_operation_on_legacy_blocking_streams_swap() {
    for between in Between::NONE {
        let wrong = count(|rig| swapped(rig, [StreamKind::BlockingStream; 2], between));
        let most = if between == Between::Query { SEEDS / 6 } else { SEEDS / 2 };
        assert!(wrong > most && wrong < SEEDS, "{between:?}: {wrong} of {SEEDS}");
    }
}

#[test]
fn legacy_never_orders_a_non_blocking_stream() {
    for kinds in [
        [StreamKind::NonBlockingStream, StreamKind::BlockingStream],
        [StreamKind::BlockingStream, StreamKind::NonBlockingStream],
        [StreamKind::NonBlockingStream; 2],
    ] {
        for between in Between::EDGES {
            let wrong = count(|rig| swapped(rig, kinds, between));
            assert!(wrong > SEEDS / 10 && wrong < SEEDS, "{kinds:?}, {between:?}: {wrong} of {SEEDS}");
        }
    }
}

/// Two fills, the first on one stream, the second on another, and nothing between. Whether the earlier one won.
fn direct(rig: &Rig, kinds: [StreamKind; 2]) -> bool {
    swapped(rig, kinds, Between::Nothing)
}

#[test]
fn legacy_and_blocking_streams_follow_each_other_both_ways() {
    for blocking in [StreamKind::BlockingStream, StreamKind::PerThreadStream] {
        assert_eq!(count(|rig| direct(rig, [blocking, StreamKind::LegacyStream])), 0);
        assert_eq!(count(|rig| direct(rig, [StreamKind::LegacyStream, blocking])), 0);
    }
    for kinds in [
        [StreamKind::NonBlockingStream, StreamKind::LegacyStream],
        [StreamKind::LegacyStream, StreamKind::NonBlockingStream],
    ] {
        let wrong = count(|rig| direct(rig, kinds));
        assert!(wrong > SEEDS / 2 && wrong < SEEDS, "{kinds:?}: {wrong} of {SEEDS}");
    }
}

#[test]
fn memory_from_legacy_is_not_there_yet_on_a_blocking_stream() {
    let too_early = |rig: &Rig, record: bool| {
        let (legacy, blocking) = (rig.stream_of(StreamKind::LegacyStream), rig.stream_of(StreamKind::BlockingStream));
        let x = rig.alloc(&legacy, 8).unwrap();
        if record {
            rig.recorded(&legacy);
        }
        rig.fill(&blocking, x, 1, 8).unwrap();
        rig.sync_all().unwrap();
        rig.bytes(x, 8) != [1; 8]
    };
    let wrong = count(|rig| too_early(rig, false));
    assert!(wrong > SEEDS / 2 && wrong < SEEDS, "{wrong} of {SEEDS}");
    assert_eq!(count(|rig| too_early(rig, true)), 0);
}

#[test]
fn freed_memory_follows_the_implicit_order() {
    let rig = Rig::seeded(0);
    let (legacy, blocking) = (rig.stream_of(StreamKind::LegacyStream), rig.stream_of(StreamKind::BlockingStream));
    let other = rig.stream();
    let x = rig.alloc(&legacy, 256).unwrap();
    rig.free(&legacy, x).unwrap();
    assert_ne!(rig.alloc(&other, 256).unwrap(), x);
    assert_eq!(rig.alloc(&blocking, 256).unwrap(), x, "the free on legacy comes before");
    rig.free(&blocking, x).unwrap();
    assert_ne!(rig.alloc(&legacy, 256).unwrap(), x, "an allocation on legacy comes after nothing");
    rig.recorded(&legacy);
    assert_eq!(rig.alloc(&legacy, 256).unwrap(), x, "but after the record on its own stream");
}

#[test]
fn syncs_and_queries_of_legacy_cover_blocking_streams() {
    for seed in 0..SEEDS {
        let rig = Rig::seeded(seed);
        let streams = [StreamKind::BlockingStream, StreamKind::PerThreadStream].map(|kind| rig.stream_of(kind));
        let (free, legacy, x) = (rig.stream(), rig.stream_of(StreamKind::LegacyStream), rig.pinned(3).unwrap());
        rig.fill(&free, x.offset(2), 1, 1).unwrap();
        for (place, stream) in streams.iter().enumerate() {
            rig.fill(stream, x.offset(place), 1, 1).unwrap();
        }
        if seed % 2 == 0 {
            rig.sync(&legacy).unwrap();
        } else {
            while !rig.query(&legacy).unwrap() {}
        }
        assert_eq!(rig.bytes(x, 2), [1; 2]);
    }
    let skipped = count(|rig| {
        let (free, legacy, x) = (rig.stream(), rig.stream_of(StreamKind::LegacyStream), rig.pinned(1).unwrap());
        rig.fill(&free, x, 1, 1).unwrap();
        rig.sync(&legacy).unwrap();
        rig.bytes(x, 1) != [1]
    });
    assert!(skipped > SEEDS / 2, "{skipped} of {SEEDS}");
}

#[test]
fn legacy_is_one_stream_however_often_it_is_opened() {
    let rig = Rig::seeded(0);
    let again = Rig::on(rig.sim.clone(), 0);
    let (one, two) = (rig.stream_of(StreamKind::LegacyStream), again.stream_of(StreamKind::LegacyStream));
    assert_eq!((one, one.handle), (two, 1));
    let x = rig.pinned(1).unwrap();
    rig.fill(&one, x, 1, 1).unwrap();
    again.sync(&two).unwrap();
    assert_eq!(rig.bytes(x, 1), [1]);
    rig.destroy(&one).unwrap();
    rig.fill(&two, x, 2, 1).unwrap();
    assert_eq!(rig.sim.live().streams, 0, "it is not made, and not destroyed");
    fails(rig.create(StreamId::fresh(), StreamKind::LegacyStream, 0), ErrorKind::InvalidValue);
    fails(rig.sync(&StreamRef { kind: StreamKind::BlockingStream, ..one }), ErrorKind::InvalidHandle);

    let sim = Sim::builder().devices(2).build();
    let (here, there) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
    let (a, b) = (here.stream_of(StreamKind::LegacyStream), there.stream_of(StreamKind::LegacyStream));
    assert_eq!(a.handle, b.handle);
    assert_ne!(a.id, b.id);
    fails(here.sync(&StreamRef { context: there.context, ..a }), ErrorKind::InvalidHandle);
}

#[test]
fn legacy_streams_of_two_contexts_order_nothing() {
    let wrong = |seed| {
        let sim = Sim::builder().devices(2).seed(seed).build();
        let (here, there) = (Rig::on(sim.clone(), 0), Rig::on(sim, 1));
        let (a, b) = (here.stream_of(StreamKind::BlockingStream), there.stream_of(StreamKind::BlockingStream));
        let x = here.pinned(1).unwrap();
        here.fill(&a, x, 1, 1).unwrap();
        here.recorded(&here.stream_of(StreamKind::LegacyStream));
        there.recorded(&there.stream_of(StreamKind::LegacyStream));
        there.fill(&b, x, 2, 1).unwrap();
        there.sync_all().unwrap();
        here.sync_all().unwrap();
        here.bytes(x, 1) != [2]
    };
    assert!((0..SEEDS).any(wrong));
}

#[test]
fn each_thread_has_its_own_stream() {
    let rig = Rig::seeded(0);
    let mine = rig.stream_of(StreamKind::PerThreadStream);
    assert_eq!(mine.handle, 2);
    let x = rig.pinned(2).unwrap();
    rig.host_write(x, 0, 2);
    rig.fill(&mine, x, 1, 1).unwrap();
    let theirs = thread::scope(|scope| {
        let other = scope.spawn(|| {
            fails(rig.sync(&mine), ErrorKind::InvalidHandle);
            fails(rig.fill(&mine, x, 1, 1), ErrorKind::InvalidHandle);
            fails(rig.destroy(&mine), ErrorKind::InvalidHandle);
            let theirs = rig.stream_of(StreamKind::PerThreadStream);
            rig.fill(&theirs, x.offset(1), 1, 1).unwrap();
            theirs
        });
        other.join().unwrap()
    });
    assert_eq!(theirs.handle, mine.handle);
    fails(rig.sync(&theirs), ErrorKind::InvalidHandle);
    let again = rig.stream_of(StreamKind::PerThreadStream);
    assert_ne!(again.id, mine.id);
    rig.sync(&again).unwrap();
    assert_eq!(rig.bytes(x, 1), [1], "two names of one stream");
    rig.sync_all().unwrap();
    assert_eq!(rig.bytes(x, 2), [1, 1], "the context knows the streams of threads that are gone");
}

#[test]
fn per_thread_streams_of_two_threads_are_ordered_by_legacy_alone() {
    let wrong = |rig: &Rig, between: Between| {
        let legacy = rig.stream_of(StreamKind::LegacyStream);
        let spare = Between::prepare(rig, &legacy);
        let (x, mine) = (rig.pinned(1).unwrap(), rig.stream_of(StreamKind::PerThreadStream));
        rig.fill(&mine, x, 1, 1).unwrap();
        thread::scope(|scope| {
            let other = scope.spawn(|| {
                between.submit(rig, &legacy, spare);
                rig.fill(&rig.stream_of(StreamKind::PerThreadStream), x, 2, 1).unwrap();
            });
            other.join().unwrap();
        });
        rig.sync_all().unwrap();
        rig.bytes(x, 1) != [2]
    };
    let swapped = count(|rig| wrong(rig, Between::Alloc));
    assert!(swapped > SEEDS / 2 && swapped < SEEDS, "{swapped} of {SEEDS}");
    assert_eq!(count(|rig| wrong(rig, Between::Record)), 0);
}
