//! Exporters that are gone, or do not answer.

use std::thread;

use antecede::driver::{ErrorKind, EventData};
use antecede_sim::{Order, Sim};
use rustix::process::Signal;

use super::common::Rig;
use super::peer::in_two_processes;
use super::{Export, Import, LEN, fails};

#[test]
fn a_killed_exporter_holds_nobody_back() {
    in_two_processes(
        "death::a_killed_exporter_holds_nobody_back",
        |peer| {
            let export = Export::seeded(0);
            export.write(2);
            export.give(peer);
            peer.wait_for_the_end();
        },
        |started| {
            let import = Import::take(&started.peer, 0);
            import.wait();
            started.signal(Signal::KILL);
            started.ended();
            assert_eq!(import.read(), [1; LEN], "what it had submitted never runs");
            import.rig.event_sync(&import.event).unwrap();
            assert_eq!(import.rig.event_query(&import.event), Ok(true));
            import.wait();
            import.end();
        },
    );
}

#[test]
fn an_exporter_that_dies_while_it_is_waited_for_ends_the_wait() {
    in_two_processes(
        "death::an_exporter_that_dies_while_it_is_waited_for_ends_the_wait",
        |peer| {
            let export = Export::seeded(0);
            export.write(2);
            export.give(peer);
            peer.wait_for_the_end();
        },
        |started| {
            let import = Import::take(&started.peer, 0);
            started.stop();
            import.wait();
            thread::scope(|scope| {
                let waiter = scope.spawn(|| import.rig.sync(&import.stream));
                // Meanwhile other threads go on.
                for byte in 0..50 {
                    let (stream, y) = (import.rig.stream(), import.rig.pinned(LEN).unwrap());
                    import.rig.fill(&stream, y, byte, LEN).unwrap();
                    import.rig.sync(&stream).unwrap();
                    assert_eq!(import.rig.bytes(y, LEN), [byte; LEN]);
                }
                assert_eq!(import.rig.query(&import.stream), Ok(false));
                assert!(!waiter.is_finished());
                started.signal(Signal::KILL);
                waiter.join().unwrap().unwrap();
            });
            import.end();
        },
    );
}

#[test]
fn a_stopped_exporter_is_waited_for() {
    in_two_processes(
        "death::a_stopped_exporter_is_waited_for",
        |peer| {
            let export = Export::seeded(0);
            export.write(2);
            export.give(peer);
            peer.wait_for_the_end();
        },
        |started| {
            let import = Import::take(&started.peer, 0);
            started.stop();
            import.wait();
            (0..100).for_each(|_| assert_eq!(import.rig.query(&import.stream), Ok(false)));
            started.signal(Signal::CONT);
            assert_eq!(import.read(), [2; LEN]);
        },
    );
}

#[test]
fn in_eager_order_a_submission_waits_for_no_other_process() {
    in_two_processes(
        "death::in_eager_order_a_submission_waits_for_no_other_process",
        |peer| {
            let export = Export::seeded(0);
            export.write(2);
            export.give(peer);
            peer.wait_for_the_end();
        },
        |started| {
            let import = Import::take_with(&started.peer, Sim::builder().mode(Order::Eager));
            started.stop();
            import.wait();
            let (stream, y) = (import.rig.stream(), import.rig.pinned(LEN).unwrap());
            import.rig.fill(&stream, y, 7, LEN).unwrap();
            assert_eq!(import.rig.bytes(y, LEN), [7; LEN]);
            started.signal(Signal::CONT);
            assert_eq!(import.read(), [2; LEN]);
        },
    );
}

#[test]
fn the_events_of_an_ended_process_cannot_be_opened() {
    in_two_processes(
        "death::the_events_of_an_ended_process_cannot_be_opened",
        |peer| {
            let export = Export::seeded(0);
            export.write(2);
            peer.send(&export.rig.export_event(&export.event).unwrap().0);
            peer.hear();
        },
        |started| {
            let (data, rig) = (EventData(started.peer.receive()), Rig::seeded(0));
            rig.import_event(&data).unwrap();
            started.peer.tell(1);
            started.ended();
            // The first one may not have noticed yet.
            fails(Rig::seeded(0).import_event(&data), ErrorKind::InvalidHandle);
        },
    );
}

#[test]
fn a_dropped_simulator_holds_nobody_back() {
    let export = Export::seeded(0);
    let import = export.import(1);
    export.write(2);
    import.wait();
    let data = export.rig.export_event(&export.event).unwrap();
    drop(export);
    assert_eq!(import.read(), [1; LEN]);
    fails(Rig::seeded(0).import_event(&data), ErrorKind::InvalidHandle);
}
