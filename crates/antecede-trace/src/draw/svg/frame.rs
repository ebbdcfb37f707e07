//! From a timeline's units to pixels.

use super::super::bar::{Bar, BarKind};
use super::super::timeline::{Scale, Timeline};
use super::style::{px, width_of};

/// Where things go.
#[derive(Debug)]
pub(super) struct Frame {
    /// Where time begins.
    pub(super) left: f64,
    /// Where the lanes begin.
    pub(super) top: f64,
    /// Pixels of a unit.
    pub(super) unit: f64,
    /// The picture's width.
    pub(super) width: f64,
}

impl Frame {
    pub(super) fn new(timeline: &Timeline) -> Self {
        let names = timeline.lanes.iter().map(|lane| 1.1 * width_of(&lane.name, px::TEXT));
        let left = px::MARGIN + names.fold(0.0, f64::max) + 14.0;
        let unit = match timeline.scale {
            Scale::Logical => px::UNIT,
            Scale::Microseconds => px::MEASURED / timeline.end().max(f64::MIN_POSITIVE),
        };
        let width = (left + timeline.end() * unit + px::MARGIN).max(px::LEAST_WIDTH).ceil();
        let axis = if timeline.scale == Scale::Microseconds { px::LINE } else { 0.0 };
        Frame { left, top: px::MARGIN + px::TITLE + 2.0 * px::LINE + axis, unit, width }
    }

    pub(super) fn x(&self, time: f64) -> f64 {
        round(self.left + time * self.unit)
    }

    /// The middle of a lane.
    pub(super) fn middle(&self, lane: usize) -> f64 {
        round(self.top + (lane as f64 + 0.5) * px::LANE)
    }

    /// The first line under the lanes.
    pub(super) fn bottom(&self, lanes: usize) -> f64 {
        self.top + lanes as f64 * px::LANE
    }

    /// The rectangle of a bar: its left edge, its top, its width and its height.
    pub(super) fn rectangle(&self, bar: &Bar) -> (f64, f64, f64, f64) {
        let (left, right) = (self.x(bar.start), self.x(bar.end));
        let height = match bar.kind {
            BarKind::Alloc | BarKind::Free => px::SMALL_BAR,
            _ => px::BAR,
        };
        let width = round((right - left).max(px::NARROWEST));
        (left, self.middle(bar.lane) - height / 2.0, width, height)
    }
}

/// To a tenth of a pixel: the text of a picture is the same on every machine.
pub(super) fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
