//! The timeline: lanes, bars, arrows and races.

use super::bar::{Arrow, Bar};
use super::lane::{self, Lane};
use super::mark::RaceMark;
use super::steps::Steps;
use super::{perfetto, place, svg};
use crate::{Log, Report, Span, Times};

/// A log, laid out.
#[derive(Clone, PartialEq, Debug)]
pub struct Timeline {
    pub(super) lanes: Vec<Lane>,
    pub(super) bars: Vec<Bar>,
    pub(super) arrows: Vec<Arrow>,
    pub(super) implied: Vec<Arrow>,
    pub(super) races: Vec<RaceMark>,
    pub(super) scale: Scale,
}

/// What a unit of a timeline's time is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Nothing that a clock shows: bars start after what they wait for, and have widths for the eye.
    Logical,
    /// A microsecond.
    Microseconds,
}

impl Timeline {
    /// Lays a log out by happens-before.
    pub fn new(log: &Log) -> Self {
        let steps = Steps::of(log);
        let spans = place::logical(&steps.steps);
        Timeline::laid_out(steps, spans, Scale::Logical)
    }

    /// Lays a log out as it was measured. What was not measured has no width, and follows what it waits for. Without any
    /// times, the same as [`new`](Timeline::new).
    pub fn measured(log: &Log, times: &Times) -> Self {
        if times.is_empty() {
            return Timeline::new(log);
        }
        let steps = Steps::of(log);
        let spans = place::measured(&steps.steps, times);
        Timeline::laid_out(steps, spans, Scale::Microseconds)
    }

    /// Marks the races that a judge found in the same log. Those whose operations the timeline does not have are left
    /// out.
    pub fn with_races(mut self, report: &Report) -> Self {
        self.races = report.races().iter().filter_map(|race| RaceMark::of(race, &self)).collect();
        self
    }

    /// The lanes, from the top down.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// The bars, in the log's order.
    pub fn bars(&self) -> &[Bar] {
        &self.bars
    }

    /// The arrows, in the order of what they lead to.
    pub fn arrows(&self) -> &[Arrow] {
        &self.arrows
    }

    /// The edges between lanes that no wait draws: from what a host thread did to what was submitted, or done by another
    /// thread, only then; and those of the legacy default stream.
    pub fn implied(&self) -> &[Arrow] {
        &self.implied
    }

    /// The races.
    pub fn races(&self) -> &[RaceMark] {
        &self.races
    }

    /// What a unit of time is.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// When the last bar ends.
    pub fn end(&self) -> f64 {
        self.bars.iter().map(|bar| bar.end).fold(0.0, f64::max)
    }

    /// The picture, as an SVG document. The same timeline gives the same text.
    pub fn to_svg(&self, title: &str) -> String {
        svg::draw(self, title)
    }

    /// A trace in the JSON of Chrome's Trace Event Format, which Perfetto reads: a slice for each bar, a flow for each
    /// arrow, an instant event for each race. One logical unit is written as 10 microseconds.
    pub fn to_perfetto(&self, title: &str) -> String {
        perfetto::write(self, title)
    }

    fn laid_out(steps: Steps, spans: Vec<Span>, scale: Scale) -> Self {
        let (lanes, places) = lane::settle(&steps.lanes);
        let (mut arrows, mut implied) = (Vec::new(), Vec::new());
        let lane_of: Vec<usize> = steps.steps.iter().map(|step| step.lane).collect();
        let mut bars = Vec::with_capacity(spans.len());
        for (to, (step, span)) in steps.steps.into_iter().zip(spans).enumerate() {
            arrows.extend(step.until.iter().map(|&from| Arrow { from, to }));
            let others = step.after.iter().filter(|&&from| lane_of[from] != step.lane);
            implied.extend(others.map(|&from| Arrow { from, to }));
            bars.push(Bar {
                seq: step.seq,
                lane: places[step.lane],
                kind: step.kind,
                label: step.label,
                bytes: step.bytes,
                failed: step.failed,
                start: span.start,
                end: span.end,
            });
        }
        Timeline { lanes, bars, arrows, implied, races: Vec::new(), scale }
    }
}
