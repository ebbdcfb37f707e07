//! Built-in and adopted streams, through a trace.

use antecede::driver::{Driver, StreamId, StreamKind, StreamRef};
use antecede_trace::{Call, NullDriver, RaceKind, Trace, judge};

use super::bench::Bench;

fn kinds_of_races(trace: &Trace) -> Vec<RaceKind> {
    judge(&trace.log()).races().iter().map(|race| race.kind).collect()
}

#[test]
fn the_legacy_stream_orders_what_is_blocking() {
    for (kind, races) in [
        (StreamKind::BlockingStream, vec![]),
        (StreamKind::PerThreadStream, vec![]),
        (StreamKind::NonBlockingStream, vec![RaceKind::ReadAfterWrite]),
    ] {
        let trace = Trace::new(NullDriver::new());
        let bench = Bench::new(trace.clone());
        let (legacy, side) = (bench.stream_of(StreamKind::LegacyStream, "Default"), bench.stream_of(kind, "Side"));
        let (x, y) = (bench.alloc(&side, 64).unwrap(), bench.alloc(&side, 64).unwrap());
        bench.sync(&side).unwrap();
        bench.fill(&legacy, x, 4).unwrap();
        bench.copy(&side, y, x, 16).unwrap();
        assert_eq!(kinds_of_races(&trace), races, "{kind:?}");
    }
}

#[test]
fn a_log_names_built_in_streams_by_what_they_are() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    bench.stream_of(StreamKind::LegacyStream, "Default");
    bench.stream_of(StreamKind::PerThreadStream, "Mine");
    let log = trace.log().to_string();
    assert!(log.contains("stream `Legacy`") && log.contains("stream `PerThread`"), "{log}");
}

#[test]
fn the_per_thread_streams_of_two_threads_are_two_streams() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let mine = bench.stream_of(StreamKind::PerThreadStream, "PerThread");
    let x = bench.alloc(&mine, 64).unwrap();
    bench.sync(&mine).unwrap();
    bench.fill(&mine, x, 4).unwrap();
    std::thread::scope(|threads| {
        let theirs = threads.spawn(|| {
            let theirs = bench.stream_of(StreamKind::PerThreadStream, "PerThread");
            bench.fill(&theirs, x, 4).unwrap();
            theirs
        });
        assert_eq!(theirs.join().unwrap().handle, mine.handle);
    });
    let report = judge(&trace.log());
    assert_eq!(kinds_of_races(&trace), [RaceKind::WriteAfterWrite]);
    let race = &report.races()[0];
    assert_ne!(race.first.thread, race.second.thread);
    for side in [race.first, race.second] {
        let name = format!("`PerThread` (thread {})", side.thread.number());
        assert!(report.to_string().contains(&name), "{name} is not in {report}");
    }
}

#[test]
fn an_adopted_stream_is_judged_by_the_kind_that_the_driver_found() {
    for (made_as, is_silent) in [(StreamKind::BlockingStream, true), (StreamKind::NonBlockingStream, false)] {
        let trace = Trace::new(NullDriver::new());
        let bench = Bench::new(trace.clone());
        let foreign = bench.stream_of(made_as, "Foreign");
        let (id, context) = (StreamId::fresh(), bench.context);
        // SAFETY: a live stream of this driver.
        let kind = unsafe { trace.stream_adopt(&context, foreign.handle, id) }.unwrap();
        let adopted = StreamRef { id, context, handle: foreign.handle, kind };
        let legacy = bench.stream_of(StreamKind::LegacyStream, "Legacy");
        let x = bench.alloc(&adopted, 64).unwrap();
        bench.fill(&legacy, x, 4).unwrap();
        assert_eq!(judge(&trace.log()).is_silent(), is_silent, "{made_as:?}");
        let log = trace.log();
        let adoption = log.entries().iter().find(|entry| entry.call == Call::StreamAdopt).unwrap();
        assert_eq!(adoption.stream.map(|stream| (stream.stream, stream.name)), Some((adopted, None)));
    }
}

#[test]
fn an_event_is_waited_for_in_another_context() {
    let trace = Trace::new(NullDriver::with_devices(2));
    let one = Bench::new(trace.clone());
    let two = Bench::on(trace.clone(), 1);
    let (a, b) = (one.stream("A"), two.stream("B"));
    let (x, y) = (one.alloc(&a, 64).unwrap(), two.alloc(&b, 64).unwrap());
    one.fill(&a, x, 4).unwrap();
    let event = one.event();
    one.record(&event, &a).unwrap();
    let copy = || {
        // SAFETY: handles of this driver, which copies nothing.
        unsafe { trace.peer_copy_async(&b, (&two.context, y), (&one.context, x), 16) }.unwrap();
    };
    two.wait(&b, &event).unwrap();
    copy();
    judge(&trace.log()).assert_silent();
    one.fill(&a, x, 4).unwrap();
    assert_eq!(kinds_of_races(&trace), [RaceKind::WriteAfterRead], "the copy read it on the other device");
}
