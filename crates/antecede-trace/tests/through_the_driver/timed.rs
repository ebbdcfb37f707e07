//! Traces that measure.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use antecede::driver::{StreamKind, StreamRef};
use antecede_trace::{Call, NullDriver, Span, Stopwatch, Trace};

use super::bench::Bench;

/// Its marks are ten microseconds apart; those from `not_yet` on have not come.
#[derive(Debug)]
struct Ticking {
    marks: AtomicU64,
    not_yet: u64,
    origin: Instant,
}

impl Ticking {
    fn new(not_yet: u64) -> Arc<Self> {
        Arc::new(Ticking { marks: AtomicU64::new(0), not_yet, origin: Instant::now() })
    }

    fn marks(&self) -> u64 {
        self.marks.load(Ordering::Relaxed)
    }
}

impl Stopwatch for Ticking {
    unsafe fn mark(&self, _: &StreamRef) -> Option<u64> {
        Some(self.marks.fetch_add(1, Ordering::Relaxed))
    }

    fn micros(&self, mark: u64) -> Option<f64> {
        (mark < self.not_yet).then_some(mark as f64 * 10.0)
    }

    fn origin(&self) -> Instant {
        self.origin
    }
}

fn number(trace: &Trace, call: Call) -> u64 {
    trace.log().entries().iter().find(|entry| entry.call == call).expect("in the log").seq
}

#[test]
fn operations_are_marked_before_and_after() {
    let stopwatch = Ticking::new(u64::MAX);
    let trace = Trace::timed(NullDriver::new(), stopwatch.clone());
    let bench = Bench::new(trace.clone());
    let (stream, event) = (bench.stream("A"), bench.event());
    let x = bench.alloc(&stream, 64).unwrap();
    assert_eq!(stopwatch.marks(), 0, "an allocation is no work of the device");
    bench.fill(&stream, x, 16).unwrap();
    bench.record(&event, &stream).unwrap();
    bench.wait(&stream, &event).unwrap();
    bench.copy(&stream, x.offset(32), x, 8).unwrap();
    bench.host_fn(&stream, &[]).unwrap();
    bench.peer_copy(&stream, x.offset(32), x, 8).unwrap();
    bench.free(&stream, x).unwrap();
    assert_eq!(stopwatch.marks(), 12);
    let times = trace.times();
    let operations = [Call::Fill, Call::EventRecord, Call::EventWait, Call::Copy, Call::HostFn, Call::PeerCopy];
    for (place, call) in operations.into_iter().enumerate() {
        let start = place as f64 * 20.0;
        assert_eq!(times.of(number(&trace, call)), Some(Span { start, end: start + 10.0 }), "{call}");
    }
    for call in [Call::Alloc, Call::Free, Call::StreamDestroy] {
        let seq = trace.log().entries().iter().find(|entry| entry.call == call).map(|entry| entry.seq);
        assert_eq!(seq.and_then(|seq| times.of(seq)), None, "{call}");
    }
}

#[test]
fn what_has_not_taken_effect_has_no_time() {
    let trace = Trace::timed(NullDriver::new(), Ticking::new(3));
    let bench = Bench::new(trace.clone());
    let stream = bench.stream("A");
    let x = bench.alloc(&stream, 64).unwrap();
    bench.fill(&stream, x, 16).unwrap();
    bench.copy(&stream, x.offset(32), x, 8).unwrap();
    let times = trace.times();
    assert!(times.of(number(&trace, Call::Fill)).is_some());
    assert_eq!(times.of(number(&trace, Call::Copy)), None, "its second mark has not come");
}

/// There a mark would order other streams.
#[test]
fn the_legacy_stream_is_not_marked() {
    let stopwatch = Ticking::new(u64::MAX);
    let trace = Trace::timed(NullDriver::new(), stopwatch.clone());
    let bench = Bench::new(trace.clone());
    let legacy = bench.stream_of(StreamKind::LegacyStream, "Default");
    let x = bench.alloc(&legacy, 64).unwrap();
    bench.fill(&legacy, x, 16).unwrap();
    assert_eq!((stopwatch.marks(), trace.times().of(number(&trace, Call::Fill))), (0, None));
}

#[test]
fn the_host_is_measured_by_its_own_clock() {
    let before = Instant::now();
    let stopwatch = Ticking::new(u64::MAX);
    let trace = Trace::timed(NullDriver::new(), stopwatch.clone());
    let bench = Bench::new(trace.clone());
    let stream = bench.stream("A");
    bench.sync(&stream).unwrap();
    let longest = before.elapsed().as_secs_f64() * 1e6;
    let span = trace.times().of(number(&trace, Call::StreamSync)).expect("measured, from its beginning to its end");
    assert!(0.0 <= span.start && span.start <= span.end && span.end <= longest, "{span:?} within {longest}");
}

#[test]
fn a_clear_forgets_times_and_goes_on_measuring() {
    let trace = Trace::timed(NullDriver::new(), Ticking::new(u64::MAX));
    let bench = Bench::new(trace.clone());
    let stream = bench.stream("A");
    let x = bench.alloc(&stream, 64).unwrap();
    bench.fill(&stream, x, 16).unwrap();
    trace.clear();
    assert!(trace.times().is_empty());
    bench.fill(&stream, x, 16).unwrap();
    bench.sync(&stream).unwrap();
    assert_eq!(trace.times().len(), 2, "the fill and the sync: {:?}", trace.times());
}

#[test]
fn a_trace_without_a_stopwatch_has_no_times() {
    let trace = Trace::new(NullDriver::new());
    let bench = Bench::new(trace.clone());
    let stream = bench.stream("A");
    bench.sync(&stream).unwrap();
    assert!(trace.times().is_empty());
}
