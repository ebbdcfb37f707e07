//! Streams that other code has made, and captures that it begins.

mod common;

use antecede::driver::{DriverResult, ErrorKind, StreamKind, StreamRef};
use antecede_sim::Sim;
use common::Rig;

fn fails<T: std::fmt::Debug>(result: DriverResult<T>, kind: ErrorKind) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

fn fails_with<T: std::fmt::Debug>(result: DriverResult<T>, code: i32) {
    assert_eq!(result.unwrap_err().code, code);
}

#[test]
fn foreign_streams_are_adopted_with_their_kind() {
    let rig = Rig::seeded(0);
    for kind in [
        StreamKind::NonBlockingStream,
        StreamKind::BlockingStream,
        StreamKind::LegacyStream,
        StreamKind::PerThreadStream,
    ] {
        let handle = rig.sim.foreign_stream(0, kind);
        let adopted = rig.adopt(handle).unwrap();
        assert_eq!(adopted.kind, kind);
        let x = rig.pinned(1).unwrap();
        rig.fill(&adopted, x, 1, 1).unwrap();
        let again = rig.adopt(handle).unwrap();
        rig.sync(&again).unwrap();
        assert_eq!(rig.bytes(x, 1), [1], "two names of one stream");
    }
    assert_eq!(rig.sim.live().streams, 0);
    let created = rig.stream();
    assert_eq!(rig.adopt(created.handle).unwrap().kind, StreamKind::NonBlockingStream);
}

#[test]
fn streams_that_may_not_be_adopted_are_refused() {
    let sim = Sim::builder().devices(2).build();
    let (here, there) = (Rig::on(sim.clone(), 0), Rig::on(sim.clone(), 1));
    let handle = sim.foreign_stream(0, StreamKind::BlockingStream);
    fails(there.adopt(handle), ErrorKind::InvalidContext);
    fails(here.adopt(0), ErrorKind::InvalidHandle);
    sim.begin_capture(0, handle);
    fails_with(here.adopt(handle), 900);
    fails_with(here.adopt(1), 906);
    sim.end_capture(0, handle);
    let adopted = here.adopt(handle).unwrap();
    fails(here.destroy(&adopted), ErrorKind::InvalidValue);

    let x = here.pinned(1).unwrap();
    here.fill(&adopted, x, 1, 1).unwrap();
    sim.foreign_destroy(handle);
    fails(here.sync(&adopted), ErrorKind::InvalidHandle);
    fails(here.adopt(handle), ErrorKind::InvalidHandle);
    here.sync_all().unwrap();
    assert_eq!(here.bytes(x, 1), [1]);
    // The handle comes back, the stream does not.
    let next = here.stream();
    assert_eq!(next.handle, handle);
    fails(here.sync(&adopted), ErrorKind::InvalidHandle);
}

#[test]
fn an_adopted_stream_obeys_the_rule_of_its_kind() {
    let swapped = |kind, seed| {
        let rig = Rig::seeded(seed);
        let adopted = rig.adopt(rig.sim.foreign_stream(0, kind)).unwrap();
        let (legacy, x) = (rig.stream_of(StreamKind::LegacyStream), rig.pinned(1).unwrap());
        rig.fill(&adopted, x, 1, 1).unwrap();
        rig.fill(&legacy, x, 2, 1).unwrap();
        rig.sync_all().unwrap();
        rig.bytes(x, 1) != [2]
    };
    assert!((0..500).all(|seed| !swapped(StreamKind::BlockingStream, seed)));
    assert!((0..500).any(|seed| swapped(StreamKind::NonBlockingStream, seed)));
}

/// Streams that the library may find captured: its own, the thread's, and an adopted one.
fn capturable(rig: &Rig) -> [StreamRef; 3] {
    let foreign = rig.sim.foreign_stream(0, StreamKind::NonBlockingStream);
    [rig.stream(), rig.stream_of(StreamKind::PerThreadStream), rig.adopt(foreign).unwrap()]
}

#[test]
fn what_is_captured_is_accepted_and_never_runs() {
    let rig = Rig::seeded(0);
    let x = rig.pinned(8).unwrap();
    rig.host_write(x, 0, 8);
    for stream in capturable(&rig) {
        assert_eq!(rig.is_capturing(&stream), Ok(false));
        rig.sim.begin_capture(0, stream.handle);
        assert_eq!(rig.is_capturing(&stream), Ok(true));
        rig.fill(&stream, x, 1, 8).unwrap();
        rig.copy(&stream, x, x.offset(4), 4).unwrap();
        rig.call(&stream, &[], || panic!("never called")).unwrap();
        fails_with(rig.sync(&stream), 900);
        fails_with(rig.query(&stream), 900);
        rig.sync_all().unwrap();
        rig.sim.end_capture(0, stream.handle);
        assert_eq!(rig.is_capturing(&stream), Ok(false));
        rig.sync(&stream).unwrap();
        assert_eq!((rig.bytes(x, 8), rig.sim.live().pending), (vec![0; 8], 0));
        rig.fill(&stream, x, 2, 1).unwrap();
        rig.sync(&stream).unwrap();
        assert_eq!(rig.bytes(x, 2), [2, 0], "it runs again");
        rig.host_write(x, 0, 8);
    }
}

#[test]
fn what_was_submitted_before_a_capture_still_runs() {
    let rig = Rig::seeded(0);
    let (stream, x) = (rig.stream(), rig.pinned(1).unwrap());
    rig.fill(&stream, x, 1, 1).unwrap();
    rig.sim.begin_capture(0, stream.handle);
    rig.fill(&stream, x, 2, 1).unwrap();
    rig.sync_all().unwrap();
    assert_eq!(rig.bytes(x, 1), [1]);
}

#[test]
fn a_wait_for_a_captured_event_draws_the_stream_in() {
    let rig = Rig::seeded(0);
    let (captured, drawn, x) = (rig.stream_of(StreamKind::PerThreadStream), rig.stream(), rig.pinned(1).unwrap());
    rig.host_write(x, 0, 1);
    rig.sim.begin_capture(0, captured.handle);
    let event = rig.recorded(&captured);
    fails_with(rig.event_sync(&event), 907);
    fails_with(rig.event_query(&event), 907);
    rig.wait(&drawn, &event).unwrap();
    assert_eq!(rig.is_capturing(&drawn), Ok(true));
    rig.fill(&drawn, x, 1, 1).unwrap();
    fails_with(rig.sync(&drawn), 900);
    rig.wait(&captured, &rig.recorded(&drawn)).unwrap();
    rig.sim.end_capture(0, captured.handle);

    assert_eq!(rig.is_capturing(&drawn), Ok(false));
    rig.sync(&drawn).unwrap();
    assert_eq!(rig.bytes(x, 1), [0], "the fill returned no error, and never ran");
    fails_with(rig.wait(&drawn, &event), 907);
    rig.record(&event, &captured).unwrap();
    rig.wait(&drawn, &event).unwrap();
    rig.fill(&drawn, x, 3, 1).unwrap();
    rig.sync(&drawn).unwrap();
    assert_eq!(rig.bytes(x, 1), [3]);
}

#[test]
fn a_capture_leaves_no_edge() {
    let swapped = |seed| {
        let rig = Rig::seeded(seed);
        let (a, b, x) = (rig.stream(), rig.stream(), rig.pinned(1).unwrap());
        rig.fill(&a, x, 1, 1).unwrap();
        rig.sim.begin_capture(0, a.handle);
        rig.hand_over(&a, &b);
        rig.sim.end_capture(0, a.handle);
        rig.fill(&b, x, 2, 1).unwrap();
        rig.sync_all().unwrap();
        rig.bytes(x, 1) != [2]
    };
    assert!((0..500).any(swapped));
}

#[test]
fn captures_are_kept_apart() {
    let rig = Rig::seeded(0);
    let (a, b, outside) = (rig.stream(), rig.stream(), rig.stream());
    let before = rig.recorded(&outside);
    rig.sim.begin_capture(0, a.handle);
    rig.sim.begin_capture(0, b.handle);
    fails_with(rig.wait(&a, &before), 905);
    fails_with(rig.wait(&b, &rig.recorded(&a)), 903);
    rig.sim.end_capture(0, a.handle);
    assert_eq!((rig.is_capturing(&a), rig.is_capturing(&b)), (Ok(false), Ok(true)));
    rig.destroy(&b).unwrap();
}

#[test]
fn legacy_is_refused_beside_a_captured_blocking_stream() {
    let rig = Rig::seeded(0);
    let (legacy, blocking, free) =
        (rig.stream_of(StreamKind::LegacyStream), rig.stream_of(StreamKind::BlockingStream), rig.stream());
    let x = rig.pinned(1).unwrap();
    rig.sim.begin_capture(0, free.handle);
    rig.fill(&legacy, x, 1, 1).unwrap();
    fails_with(rig.wait(&legacy, &rig.recorded(&free)), 906);
    assert_eq!(rig.is_capturing(&legacy), Ok(false));
    rig.sim.begin_capture(0, blocking.handle);
    fails_with(rig.fill(&legacy, x, 1, 1), 906);
    fails_with(rig.sync(&legacy), 906);
    fails_with(rig.is_capturing(&legacy), 906);
    rig.sim.end_capture(0, blocking.handle);
    rig.sync(&legacy).unwrap();
}

#[test]
fn memory_of_a_capture_is_never_given_back() {
    let rig = Rig::seeded(0);
    let stream = rig.stream();
    let (outside, kept) = (rig.alloc(&stream, 8).unwrap(), rig.sim.live().allocations);
    rig.sim.begin_capture(0, stream.handle);
    fails(rig.free(&stream, outside), ErrorKind::InvalidValue);
    let (freed, lost) = (rig.alloc(&stream, 8).unwrap(), rig.alloc(&stream, 8).unwrap());
    rig.free(&stream, freed).unwrap();
    rig.sim.end_capture(0, stream.handle);
    rig.sync(&stream).unwrap();
    assert_eq!(rig.bytes(lost, 8), [rig.sim.poison().unused; 8], "the allocation never takes effect");
    fails(rig.free(&stream, lost), ErrorKind::InvalidValue);
    assert_eq!(rig.sim.live().allocations, kept + 1);
    assert!((0..10).all(|_| ![freed, lost].contains(&rig.alloc(&stream, 8).unwrap())));
    rig.free(&stream, outside).unwrap();
}

#[test]
fn a_destroyed_stream_ends_its_capture() {
    let rig = Rig::seeded(0);
    let (origin, drawn) = (rig.stream(), rig.stream());
    rig.sim.begin_capture(0, origin.handle);
    rig.wait(&drawn, &rig.recorded(&origin)).unwrap();
    rig.destroy(&origin).unwrap();
    assert_eq!(rig.is_capturing(&drawn), Ok(false));
}
