//! A timeline in Chrome's Trace Event Format.

use serde_json::{Value, json};

use super::bar::{Arrow, Bar};
use super::lane::Lane;
use super::timeline::{Scale, Timeline};

/// Microseconds of a logical unit.
const LOGICAL_UNIT: f64 = 10.0;
/// The process that host lanes are shown under; devices follow.
const HOST: u64 = 1;

/// The whole trace.
pub(super) fn write(timeline: &Timeline, title: &str) -> String {
    let unit = match timeline.scale {
        Scale::Logical => LOGICAL_UNIT,
        Scale::Microseconds => 1.0,
    };
    let trace = Trace { timeline, unit, tracks: tracks(timeline) };
    let mut events = trace.names();
    events.extend(timeline.bars.iter().enumerate().map(|(place, bar)| trace.slice(place, bar)));
    events.extend(timeline.arrows.iter().zip(1..).flat_map(|(arrow, id)| trace.flow(arrow, id)));
    events.extend(timeline.races.iter().map(|race| {
        let second = &timeline.bars[race.second];
        let args = json!({ "race": race.story(), "missing": race.remedy() });
        let mut event = trace.at(second, second.start, "i", "race");
        event["name"] = json!(format!("race: {}", race.kind));
        event["s"] = json!("t");
        event["args"] = args;
        event
    }));
    let time = match timeline.scale {
        Scale::Logical => "logical: no durations",
        Scale::Microseconds => "measured",
    };
    let whole = json!({
        "displayTimeUnit": "ns",
        "otherData": { "title": title, "time": time },
        "traceEvents": events,
    });
    format!("{whole:#}\n")
}

struct Trace<'a> {
    timeline: &'a Timeline,
    unit: f64,
    /// By lane.
    tracks: Vec<Track>,
}

#[derive(Clone, Copy)]
struct Track {
    process: u64,
    thread: u64,
}

impl Trace<'_> {
    /// The names of processes and threads, and their order.
    fn names(&self) -> Vec<Value> {
        let mut events = Vec::new();
        let mut processes = Vec::new();
        for (lane, &Track { process, thread }) in self.timeline.lanes.iter().zip(&self.tracks) {
            let meta = |name: &str, args: Value| json!({ "ph": "M", "name": name, "pid": process, "tid": thread, "ts": 0, "args": args });
            if !processes.contains(&process) {
                processes.push(process);
                let name = lane.stream.map(|stream| format!("device {}", stream.stream.context.ordinal));
                events.push(meta("process_name", json!({ "name": name.as_deref().unwrap_or("host") })));
                events.push(meta("process_sort_index", json!({ "sort_index": process })));
            }
            events.push(meta("thread_name", json!({ "name": lane.name })));
            events.push(meta("thread_sort_index", json!({ "sort_index": thread })));
        }
        events
    }

    fn slice(&self, place: usize, bar: &Bar) -> Value {
        let mut event = self.at(bar, bar.start, "X", bar.kind.word());
        event["name"] = json!(bar.label);
        event["dur"] = json!(self.micros(bar.end) - self.micros(bar.start));
        let mut args = json!({ "entry": bar.seq });
        if bar.bytes != 0 {
            args["bytes"] = json!(bar.bytes);
        }
        if bar.failed {
            args["failed"] = json!(true);
        }
        let races = self.timeline.races.iter().filter(|race| race.first == place || race.second == place);
        let races: Vec<_> = races.map(|race| race.to_string()).collect();
        if !races.is_empty() {
            args["races"] = json!(races);
            event["cname"] = json!("terrible");
        }
        event["args"] = args;
        event
    }

    /// The two ends of an arrow. Each binds to the slice that encloses it.
    fn flow(&self, arrow: &Arrow, id: usize) -> [Value; 2] {
        let (from, to) = (&self.timeline.bars[arrow.from], &self.timeline.bars[arrow.to]);
        let ends = [(from, from.start, "s"), (to, to.start.max(from.start).min(to.end), "f")];
        ends.map(|(bar, time, phase)| {
            let mut event = self.at(bar, time, phase, "order");
            event["name"] = json!("record to wait");
            event["id"] = json!(id);
            if phase == "f" {
                event["bp"] = json!("e");
            }
            event
        })
    }

    fn at(&self, bar: &Bar, time: f64, phase: &str, category: &str) -> Value {
        let Track { process, thread } = self.tracks[bar.lane];
        json!({ "ph": phase, "cat": category, "ts": self.micros(time), "pid": process, "tid": thread })
    }

    /// Microseconds, to the nanosecond.
    fn micros(&self, time: f64) -> f64 {
        (time * self.unit * 1000.0).round() / 1000.0
    }
}

/// Where each lane is shown: hosts first, then a process for each device.
fn tracks(timeline: &Timeline) -> Vec<Track> {
    let process = |ordinal: u32| HOST + 1 + u64::from(ordinal);
    let lanes = timeline.lanes.iter().zip(1..);
    let track = |(lane, thread): (&Lane, u64)| Track {
        process: lane.stream.map_or(HOST, |stream| process(stream.stream.context.ordinal)),
        thread,
    };
    lanes.map(track).collect()
}
