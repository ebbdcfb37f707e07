//! Order between processes.

use antecede::driver::{ErrorKind, Space};
use antecede_sim::{Order, Sim};

use super::common::Rig;
use super::peer::in_two_processes;
use super::{Export, Import, LEN, fails};

const SEEDS: u64 = 60;

#[test]
fn a_wait_sees_what_was_recorded_and_wakes_a_sleeping_exporter() {
    in_two_processes(
        "events::a_wait_sees_what_was_recorded_and_wakes_a_sleeping_exporter",
        |peer| {
            for seed in 0..SEEDS {
                let import = Import::take(peer, seed);
                import.wait();
                assert_eq!(import.read(), [2; LEN], "seed {seed}");
                import.end();
                peer.tell(1);
            }
        },
        |started| {
            for seed in 0..SEEDS {
                let export = Export::seeded(seed * 77);
                export.write(2);
                assert_eq!(export.rig.sim.live().pending, 2);
                export.give(&started.peer);
                // Asleep in here, with no call of the driver until the importer is done.
                started.peer.hear();
                assert_eq!(export.rig.sim.live().pending, 0, "seed {seed}");
            }
        },
    );
}

#[test]
fn without_the_wait_stale_bytes_are_seen() {
    in_two_processes(
        "events::without_the_wait_stale_bytes_are_seen",
        |peer| {
            let stale = (0..SEEDS).filter(|&seed| {
                let import = Import::take(peer, seed);
                let read = import.read();
                import.end();
                peer.tell(1);
                read == [1; LEN]
            });
            assert!(stale.count() > 0);
        },
        |started| {
            for seed in 0..SEEDS {
                let export = Export::seeded(seed);
                export.write(2);
                export.give(&started.peer);
                started.peer.hear();
            }
        },
    );
}

#[test]
fn two_processes_take_turns() {
    const TURNS: u8 = 100;
    // Each waits for the other's latest record before it writes; neither ever syncs but at the end.
    in_two_processes(
        "events::two_processes_take_turns",
        |peer| {
            let import = Import::take(peer, 5);
            let mine = import.rig.interprocess_event().unwrap();
            peer.send(&import.rig.export_event(&mine).unwrap().0);
            let seen = import.rig.pinned(TURNS.into()).unwrap();
            for turn in 0..TURNS {
                peer.hear();
                import.wait();
                import.rig.copy(&import.stream, seen.offset(turn.into()), import.x, 1).unwrap();
                import.rig.fill(&import.stream, import.x, turn + 101, LEN).unwrap();
                import.rig.record(&mine, &import.stream).unwrap();
                peer.tell(turn);
            }
            import.rig.sync(&import.stream).unwrap();
            assert_eq!(import.rig.bytes(seen, TURNS.into()), (0..TURNS).collect::<Vec<_>>());
            peer.wait_for_the_end();
        },
        |started| {
            let (export, peer) = (Export::seeded(6), &started.peer);
            export.give(peer);
            let theirs = export.rig.import_event(&antecede::driver::EventData(peer.receive())).unwrap();
            let seen = export.rig.pinned(TURNS.into()).unwrap();
            for turn in 0..TURNS {
                export.write(turn);
                peer.tell(turn);
                peer.hear();
                export.rig.wait(&export.stream, &theirs).unwrap();
                export.rig.copy(&export.stream, seen.offset(turn.into()), export.x, 1).unwrap();
            }
            export.rig.sync(&export.stream).unwrap();
            assert_eq!(export.rig.bytes(seen, TURNS.into()), (101..101 + TURNS).collect::<Vec<_>>());
        },
    );
}

#[test]
fn a_wait_keeps_its_record() {
    for seed in 0..SEEDS {
        let export = Export::seeded(seed);
        let import = export.import(seed);
        export.write(2);
        import.wait();
        export.write(3);
        assert_eq!(import.read(), [2; LEN], "the second fill was not asked for");
        assert_eq!(export.rig.sim.live().pending, 2);
        import.wait();
        assert_eq!(import.read(), [3; LEN]);
    }
}

#[test]
fn destroyed_events_keep_what_waits_for_them() {
    for seed in 0..SEEDS {
        let export = Export::seeded(seed);
        let import = export.import(seed);
        export.write(2);
        import.wait();
        import.rig.destroy_event(&import.event).unwrap();
        let data = export.rig.export_event(&export.event).unwrap();
        export.rig.destroy_event(&export.event).unwrap();
        // The next event must not end the wait.
        let next = export.rig.interprocess_event().unwrap();
        let other = export.rig.stream();
        export.rig.record(&next, &other).unwrap();
        export.rig.event_sync(&next).unwrap();
        fails(import.rig.import_event(&data), ErrorKind::InvalidHandle);
        assert_eq!(import.read(), [2; LEN]);
    }
}

#[test]
fn records_on_several_streams_are_all_waited_for() {
    for seed in 0..SEEDS {
        let export = Export::seeded(seed);
        let import = export.import(seed);
        export.write(2);
        import.wait();
        let other = export.rig.stream();
        export.rig.record(&export.event, &other).unwrap();
        export.rig.event_sync(&export.event).unwrap();
        assert_eq!(import.read(), [2; LEN], "a later record elsewhere says nothing of the first");
    }
}

#[test]
fn hosts_wait_for_imported_events() {
    for seed in 0..SEEDS {
        let export = Export::seeded(seed);
        let import = export.import(seed);
        assert_eq!(import.rig.event_query(&import.event), Ok(true), "nothing was recorded");
        import.rig.event_sync(&import.event).unwrap();
        export.write(2);
        import.rig.event_sync(&import.event).unwrap();
        assert_eq!(import.read(), [2; LEN]);
        export.write(3);
        while !import.rig.event_query(&import.event).unwrap() {
            std::thread::yield_now();
        }
        assert_eq!(import.read(), [3; LEN]);
        export.write(4);
        import.wait();
        while !import.rig.query(&import.stream).unwrap() {
            std::thread::yield_now();
        }
        assert_eq!(import.read(), [4; LEN]);
    }
}

#[test]
fn what_one_simulator_needs_of_another_may_need_the_first() {
    // `a` on the first waits for an event of the second, whose stream waits for `b` on the first.
    for seed in 0..SEEDS {
        let export = Export::seeded(seed);
        let import = export.import(seed + 1);
        let (rig, a, b) = (&export.rig, export.rig.stream(), export.rig.stream());
        let theirs = import.rig.interprocess_event().unwrap();
        let theirs_here = rig.import_event(&import.rig.export_event(&theirs).unwrap()).unwrap();
        let (late, late_there) = {
            let late = rig.interprocess_event().unwrap();
            let data = rig.export_event(&late).unwrap();
            (late, import.rig.import_event(&data).unwrap())
        };
        rig.fill(&b, export.x, 2, LEN).unwrap();
        rig.record(&export.event, &b).unwrap();
        import.wait();
        import.rig.fill(&import.stream, import.x, 3, LEN).unwrap();
        import.rig.record(&theirs, &import.stream).unwrap();
        rig.wait(&a, &theirs_here).unwrap();
        rig.record(&late, &a).unwrap();
        let other = import.rig.stream();
        import.rig.wait(&other, &late_there).unwrap();
        import.rig.sync(&other).unwrap();
        assert_eq!(import.rig.bytes(import.x, LEN), [3; LEN], "seed {seed}");
    }
}

#[test]
fn a_simulator_may_import_its_own() {
    for seed in 0..SEEDS {
        let Export { rig, stream, pool, x, event } = Export::seeded(seed);
        let there = rig.import_pool(rig.export_pool(&pool).unwrap()).unwrap();
        let y = rig.import(&there, &rig.export(x).unwrap()).unwrap();
        assert_ne!(x, y);
        assert_eq!((rig.pool_of(x), rig.pool_of(y)), (Ok(pool.handle), Ok(there.handle)));
        let opened = rig.import_event(&rig.export_event(&event).unwrap()).unwrap();
        rig.fill(&stream, x, 2, LEN).unwrap();
        rig.record(&event, &stream).unwrap();
        let other = rig.stream();
        rig.wait(&other, &opened).unwrap();
        assert_eq!(rig.download(&other, y, LEN), [2; LEN]);
        rig.free(&other, y).unwrap();
    }
}

#[test]
fn in_eager_order_nothing_needs_a_sync() {
    let export = Export::new(Sim::builder().mode(Order::Adversarial));
    let descriptor = export.rig.export_pool(&export.pool).unwrap();
    let (data, event) = (export.rig.export(export.x).unwrap(), export.rig.export_event(&export.event).unwrap());
    let import = Import::new(Sim::builder().mode(Order::Eager), descriptor, &data, &event);
    export.write(2);
    import.wait();
    let pinned = import.rig.pinned(LEN).unwrap();
    import.rig.copy(&import.stream, pinned, import.x, LEN).unwrap();
    while import.rig.sim.live().pending > 0 {
        std::thread::yield_now();
    }
    assert_eq!(import.rig.bytes(pinned, LEN), [2; LEN]);
}

#[test]
fn captured_streams_and_events_stay_apart() {
    let export = Export::seeded(0);
    let import = export.import(0);
    import.rig.sim.begin_capture(0, import.stream.handle);
    fails(import.rig.wait(&import.stream, &import.event), ErrorKind::Other);
    import.rig.sim.end_capture(0, import.stream.handle);
    fails(import.rig.record(&import.event, &import.stream), ErrorKind::InvalidValue);
    fails(import.rig.export_event(&import.event), ErrorKind::InvalidValue);
    fails(export.rig.export_event(&export.rig.event()), ErrorKind::InvalidValue);
    let pool = Rig::seeded(0).pool(Space::DeviceMemory).unwrap();
    fails(import.rig.export_pool(&pool), ErrorKind::InvalidContext);
}
