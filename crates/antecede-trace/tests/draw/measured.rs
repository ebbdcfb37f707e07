//! Timelines with times.

use antecede_trace::draw::{Scale, Timeline};
use antecede_trace::{LogBuilder, Span, Times};

use super::{bar, hand_over};

#[test]
fn bars_lie_where_they_were_measured_from_the_first_start_on() {
    let mut log = LogBuilder::new();
    let (a, b) = (log.stream("A"), log.stream("B"));
    let x = log.outside(64);
    let y = log.alloc(b, 64);
    let fill = log.fill(a, x);
    let launch = log.launch(b, "saxpy", &[y], &[]);
    let sync = log.sync(a);
    let times: Times = [
        (fill, Span { start: 110.5, end: 113.0 }),
        (launch, Span { start: 100.0, end: 112.0 }),
        (sync, Span { start: 101.0, end: 120.0 }),
    ]
    .into_iter()
    .collect();
    let timeline = Timeline::measured(&log.finish(), &times);
    assert_eq!(timeline.scale(), Scale::Microseconds);
    let span = |lane, label| (bar(&timeline, lane, label).start, bar(&timeline, lane, label).end);
    assert_eq!(span("A", "fill"), (10.5, 13.0));
    assert_eq!(span("B", "saxpy"), (0.0, 12.0));
    assert_eq!(span("host", "sync"), (1.0, 20.0));
    assert_eq!(span("B", "alloc"), (0.0, 0.0), "not measured: no width, behind what it waits for");
    let svg = timeline.to_svg("measured");
    assert!(svg.contains("saxpy on B, 64 bytes, 0.0 to 12.0 µs"), "{svg}");
}

#[test]
fn a_time_that_is_none_counts_as_not_measured() {
    let mut log = LogBuilder::new();
    let a = log.stream("A");
    let x = log.outside(64);
    let (one, other) = (log.fill(a, x), log.fill(a, x));
    let times = [(one, Span { start: 1.0, end: 2.0 }), (other, Span { start: f64::NAN, end: f64::INFINITY })];
    let timeline = Timeline::measured(&log.finish(), &times.into_iter().collect());
    let ends: Vec<_> = timeline.bars().iter().map(|bar| bar.end).collect();
    assert_eq!(ends, [1.0, 1.0]);
    assert!(timeline.to_perfetto("measured").contains("\"dur\": 0"));
}

#[test]
fn without_times_it_is_the_logical_one() {
    let log = hand_over();
    assert_eq!(Timeline::measured(&log, &Times::default()), Timeline::new(&log));
}
