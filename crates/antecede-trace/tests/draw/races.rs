//! Races in a timeline.

use antecede_trace::draw::{Missing, RaceMark, Timeline};
use antecede_trace::{LogBuilder, RaceKind, judge};

/// The timeline of a log with one race.
#[track_caller]
fn one_race(log: LogBuilder) -> (Timeline, RaceMark) {
    let log = log.finish();
    let timeline = Timeline::new(&log).with_races(&judge(&log));
    let [race] = timeline.races() else { panic!("one race: {}", judge(&log)) };
    let race = race.clone();
    (timeline, race)
}

fn without_wait() -> LogBuilder {
    let mut log = LogBuilder::new();
    let (producer, consumer) = (log.stream("Producer"), log.stream("Consumer"));
    let (x, y) = (log.outside(4096), log.outside(4096));
    log.fill(producer, x);
    log.launch(consumer, "histogram", &[x], &[y]);
    log
}

#[test]
fn both_accesses_are_named_and_the_missing_edge() {
    let (timeline, race) = one_race(without_wait());
    assert_eq!(race.story(), "read after write: fill on Producer writes 4 KiB that histogram on Consumer reads");
    assert_eq!(
        race.remedy(),
        "missing: an event recorded on Producer after fill, and a wait for it on Consumer before histogram"
    );
    assert_eq!(race.missing, Some(Missing { from: race.first, to: race.second }));
    let (first, second) = (&timeline.bars()[race.first], &timeline.bars()[race.second]);
    assert_eq!((first.label.as_str(), second.label.as_str()), ("fill", "histogram"));
    assert!(second.start < first.end, "they may overlap, so they do");
}

#[test]
fn the_picture_says_it_too() {
    let (timeline, race) = one_race(without_wait());
    let svg = timeline.to_svg("a race");
    for part in [race.story(), race.remedy(), ">\n1a\n<", ">\n1b\n<", "stroke-dasharray=\"7 5\"", "missing edge"] {
        assert!(svg.contains(part), "{part:?} in {svg}");
    }
    let framed = svg.matches("stroke=\"#d55e00\" stroke-width=\"3\"").count();
    assert_eq!(framed, 2, "the two bars that race are framed");
    let log = without_wait().finish();
    let plain = Timeline::new(&log).to_svg("a race");
    assert!(!plain.contains("#d55e00\" stroke-width"), "without a report nothing is framed");
}

#[test]
fn what_is_freed_too_early_is_to_be_freed_later() {
    let mut log = LogBuilder::new();
    let (a, b) = (log.stream("A"), log.stream("B"));
    let x = log.alloc(a, 256);
    log.sync(a);
    log.free(a, x);
    log.fill(b, x);
    let (timeline, race) = one_race(log);
    assert_eq!(race.kind, RaceKind::UseAfterFree);
    assert_eq!(race.missing, Some(Missing { from: race.second, to: race.first }));
    assert_eq!(timeline.bars()[race.first].label, "free");
    assert_eq!(race.remedy(), "missing: an event recorded on B after fill, and a wait for it on A before free");
}

#[test]
fn the_host_lacks_a_sync() {
    let mut log = LogBuilder::new();
    let stream = log.stream("Download");
    let (host, x) = (log.pinned_alloc(64), log.outside(64));
    log.copy(stream, host, x);
    log.host_read(host);
    let (_, race) = one_race(log);
    assert_eq!(
        race.to_string(),
        "host access in flight: copy on Download writes 64 bytes that read on the host reads; missing: a sync of \
         Download on the host, after copy and before read"
    );
}

#[test]
fn no_edge_mends_a_double_free() {
    let mut log = LogBuilder::new();
    let a = log.stream("A");
    let x = log.alloc(a, 64);
    log.free(a, x);
    log.free(a, x);
    let (timeline, race) = one_race(log);
    assert_eq!((race.kind, race.missing), (RaceKind::DoubleFree, None));
    assert_eq!(race.remedy(), "free a block once, after its last use");
    assert!(!timeline.to_svg("twice").contains("missing edge"));
}

#[test]
fn many_races_are_counted() {
    let mut log = LogBuilder::new();
    let (a, b) = (log.stream("A"), log.stream("B"));
    for _ in 0..11 {
        let x = log.outside(64);
        log.fill(a, x);
        log.fill(b, x);
    }
    let log = log.finish();
    let timeline = Timeline::new(&log).with_races(&judge(&log));
    assert_eq!(timeline.races().len(), 11);
    let svg = timeline.to_svg("many");
    assert!(svg.contains("Race 8, write") && !svg.contains("Race 9, write") && svg.contains("and 3 more"), "{svg}");
}

#[test]
fn races_of_another_log_are_left_out() {
    let log = without_wait().finish();
    let report = judge(&log);
    let shorter = log.entries()[..3].iter().cloned().collect();
    assert!(Timeline::new(&shorter).with_races(&report).races().is_empty());
}
