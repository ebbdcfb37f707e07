//! A timeline in Chrome's Trace Event Format.

use super::bar::{Arrow, Bar};
use super::json::Json;
use super::lane::Lane;
use super::mark::RaceMark;
use super::timeline::{Scale, Timeline};

/// Microseconds of a logical unit.
const LOGICAL_UNIT: f64 = 10.0;
/// The process that host lanes are shown under; devices follow.
const HOST: u64 = 1;

/// The whole trace.
pub(super) fn write(timeline: &Timeline, title: &str) -> String {
    let (unit, time) = match timeline.scale {
        Scale::Logical => (LOGICAL_UNIT, "logical: no durations"),
        Scale::Microseconds => (1.0, "measured"),
    };
    let trace = Trace { timeline, unit, tracks: tracks(timeline) };
    Json::text(|json| {
        json.name("displayTimeUnit").string("ns");
        json.name("otherData").object(|json| {
            json.name("title").string(title);
            json.name("time").string(time);
        });
        json.name("traceEvents").list(|json| trace.events(json));
    })
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
    fn events(&self, json: &mut Json) {
        self.names(json);
        for (place, bar) in self.timeline.bars.iter().enumerate() {
            self.slice(json, place, bar);
        }
        for (arrow, id) in self.timeline.arrows.iter().zip(1..) {
            self.flow(json, arrow, id);
        }
        self.timeline.races.iter().for_each(|race| self.race(json, race));
    }

    /// The names of processes and threads, and their order.
    fn names(&self, json: &mut Json) {
        let mut processes = Vec::new();
        for (lane, &track) in self.timeline.lanes.iter().zip(&self.tracks) {
            if !processes.contains(&track.process) {
                processes.push(track.process);
                let device = lane.stream.map(|stream| format!("device {}", stream.stream.context.ordinal));
                metadata(json, track, "process_name", |json| {
                    json.name("name").string(device.as_deref().unwrap_or("host"));
                });
                metadata(json, track, "process_sort_index", |json| json.name("sort_index").number(track.process));
            }
            metadata(json, track, "thread_name", |json| json.name("name").string(&lane.name));
            metadata(json, track, "thread_sort_index", |json| json.name("sort_index").number(track.thread));
        }
    }

    fn slice(&self, json: &mut Json, place: usize, bar: &Bar) {
        let races = self.timeline.races.iter().filter(|race| race.first == place || race.second == place);
        let races: Vec<_> = races.map(RaceMark::to_string).collect();
        self.event(json, "X", bar, bar.start, &bar.label, bar.kind.word(), |json| {
            json.name("dur").decimal(nanos(self.micros(bar.end) - self.micros(bar.start)));
            if !races.is_empty() {
                json.name("cname").string("terrible");
            }
            json.name("args").object(|json| {
                json.name("entry").number(bar.seq);
                if bar.bytes != 0 {
                    json.name("bytes").number(bar.bytes);
                }
                if bar.failed {
                    json.name("failed").flag(true);
                }
                if !races.is_empty() {
                    json.name("races").list(|json| races.iter().for_each(|race| json.string(race)));
                }
            });
        });
    }

    /// The two ends of an arrow. Each binds to the slice that encloses it.
    fn flow(&self, json: &mut Json, arrow: &Arrow, id: u64) {
        let (from, to) = (&self.timeline.bars[arrow.from], &self.timeline.bars[arrow.to]);
        self.event(json, "s", from, from.start, "record to wait", "order", |json| json.name("id").number(id));
        let arrival = to.start.max(from.start).min(to.end);
        self.event(json, "f", to, arrival, "record to wait", "order", |json| {
            json.name("id").number(id);
            json.name("bp").string("e");
        });
    }

    fn race(&self, json: &mut Json, race: &RaceMark) {
        let second = &self.timeline.bars[race.second];
        self.event(json, "i", second, second.start, &format!("race: {}", race.kind), "race", |json| {
            json.name("s").string("t");
            json.name("args").object(|json| {
                json.name("race").string(race.story());
                json.name("missing").string(race.remedy());
            });
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the fields that every event has")]
    fn event(
        &self,
        json: &mut Json,
        phase: &str,
        bar: &Bar,
        time: f64,
        name: &str,
        category: &str,
        more: impl FnOnce(&mut Json),
    ) {
        let Track { process, thread } = self.tracks[bar.lane];
        json.object(|json| {
            json.name("ph").string(phase);
            json.name("name").string(name);
            json.name("cat").string(category);
            json.name("pid").number(process);
            json.name("tid").number(thread);
            json.name("ts").decimal(self.micros(time));
            more(json);
        });
    }

    fn micros(&self, time: f64) -> f64 {
        nanos(time * self.unit)
    }
}

/// What a process or a thread is called.
fn metadata(json: &mut Json, track: Track, name: &str, arguments: impl FnOnce(&mut Json)) {
    json.object(|json| {
        json.name("ph").string("M");
        json.name("name").string(name);
        json.name("pid").number(track.process);
        json.name("tid").number(track.thread);
        json.name("ts").number(0);
        json.name("args").object(arguments);
    });
}

/// Where each lane is shown: hosts first, then a process for each device.
fn tracks(timeline: &Timeline) -> Vec<Track> {
    let process = |ordinal: u32| HOST + 1 + u64::from(ordinal);
    let track = |(lane, thread): (&Lane, u64)| Track {
        process: lane.stream.map_or(HOST, |stream| process(stream.stream.context.ordinal)),
        thread,
    };
    timeline.lanes.iter().zip(1..).map(track).collect()
}

/// Microseconds to the nanosecond.
fn nanos(micros: f64) -> f64 {
    (micros * 1000.0).round() / 1000.0
}
