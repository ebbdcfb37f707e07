//! The JSON, against what the Trace Event Format asks for.

use std::collections::{BTreeMap, BTreeSet};

use antecede_trace::draw::Timeline;
use antecede_trace::{LogBuilder, judge};
use serde_json::Value;

use super::hand_over;

type Track = (u64, u64);

fn events(timeline: &Timeline) -> Vec<Value> {
    let trace: Value = serde_json::from_str(&timeline.to_perfetto("a title")).expect("JSON");
    assert_eq!(trace["otherData"]["title"], "a title");
    trace["traceEvents"].as_array().expect("a list").clone()
}

fn of<'a>(events: &'a [Value], phase: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["ph"] == phase).collect()
}

fn track(event: &Value) -> Track {
    (event["pid"].as_u64().expect("a process"), event["tid"].as_u64().expect("a thread"))
}

fn time(event: &Value) -> f64 {
    event["ts"].as_f64().expect("a time")
}

fn end(slice: &Value) -> f64 {
    time(slice) + slice["dur"].as_f64().expect("a duration")
}

/// Two devices, a hand-over between them, a host sync and a race.
fn of_two_devices() -> Timeline {
    let mut log = LogBuilder::new();
    let a = log.stream("A");
    log.next_context();
    let b = log.stream("B");
    let (x, event) = (log.outside(64), log.event());
    log.fill(a, x);
    log.record(event, a);
    log.wait(b, event);
    log.fill(b, x);
    log.fill(a, x);
    log.sync(b);
    let log = log.finish();
    Timeline::new(&log).with_races(&judge(&log))
}

#[test]
fn every_bar_is_a_slice_of_a_track_with_a_name() {
    for timeline in [Timeline::new(&hand_over()), of_two_devices()] {
        let events = events(&timeline);
        let names: BTreeMap<Track, &str> = of(&events, "M")
            .into_iter()
            .filter(|event| event["name"] == "thread_name")
            .map(|event| (track(event), event["args"]["name"].as_str().expect("a name")))
            .collect();
        let slices = of(&events, "X");
        assert_eq!(slices.len(), timeline.bars().len());
        for (slice, bar) in slices.iter().zip(timeline.bars()) {
            assert_eq!(slice["name"].as_str(), Some(bar.label.as_str()));
            assert_eq!(names[&track(slice)], timeline.lanes()[bar.lane].name);
            assert_eq!(slice["args"]["entry"].as_u64(), Some(bar.seq));
            assert!(slice["dur"].as_f64().expect("a duration") > 0.0 && slice["cat"].is_string());
        }
        for one in &slices {
            for other in slices.iter().filter(|other| track(other) == track(one) && time(other) > time(one)) {
                assert!(end(one) <= time(other) + 1e-9, "slices of a track do not overlap: {one} {other}");
            }
        }
    }
}

#[test]
fn devices_and_the_host_are_processes() {
    let events = events(&of_two_devices());
    let named = of(&events, "M").into_iter().filter(|event| event["name"] == "process_name");
    let names: BTreeSet<(u64, &str)> =
        named.map(|event| (track(event).0, event["args"]["name"].as_str().expect("a name"))).collect();
    let names: Vec<&str> = names.into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["host", "device 0", "device 1"]);
}

#[test]
fn every_arrow_is_a_flow_between_the_slices_that_enclose_its_ends() {
    for timeline in [Timeline::new(&hand_over()), of_two_devices()] {
        let events = events(&timeline);
        let slices = of(&events, "X");
        let (starts, finishes) = (of(&events, "s"), of(&events, "f"));
        let arrows = timeline.arrows();
        assert!(!arrows.is_empty());
        assert_eq!((starts.len(), finishes.len()), (arrows.len(), arrows.len()));
        let ids: BTreeSet<u64> = starts.iter().map(|event| event["id"].as_u64().expect("an id")).collect();
        assert_eq!(ids.len(), arrows.len(), "no two flows have one id");
        for ((start, finish), arrow) in starts.iter().zip(&finishes).zip(arrows) {
            assert_eq!((&start["id"], &start["name"], &start["cat"]), (&finish["id"], &finish["name"], &finish["cat"]));
            assert_eq!(finish["bp"], "e", "binds to the slice that encloses it, not to the next");
            assert!(time(start) <= time(finish), "a flow does not go back in time");
            for (event, bar) in [(start, arrow.from), (finish, arrow.to)] {
                let slice = slices[bar];
                assert_eq!(track(event), track(slice));
                assert!(time(slice) <= time(event) && time(event) < end(slice), "{event} in {slice}");
            }
        }
    }
}

#[test]
fn a_race_is_an_event_and_marks_both_slices() {
    let timeline = of_two_devices();
    let events = events(&timeline);
    let [race] = timeline.races() else { panic!("one race") };
    let [instant] = of(&events, "i")[..] else { panic!("one event") };
    assert_eq!((instant["name"].as_str(), instant["s"].as_str()), (Some("race: write after write"), Some("t")));
    assert_eq!(instant["args"]["race"].as_str(), Some(race.story()));
    let slices = of(&events, "X");
    let marked: Vec<usize> = (0..slices.len()).filter(|&place| !slices[place]["args"]["races"].is_null()).collect();
    assert_eq!(marked, [race.first, race.second]);
}
