//! Arrows, and the edges that are missing.

use std::cmp::Ordering;

use svg::node::element::path::Data;
use svg::node::element::{Circle, Definitions, Group, Marker, Path, Pattern, Rectangle, Text};

use super::super::bar::{Arrow, Bar, BarKind};
use super::super::mark::RaceMark;
use super::super::timeline::{Scale, Timeline};
use super::frame::{Frame, round};
use super::style::{FAINT, IMPLIED, INK, PAPER, RACE, px};

/// How far from its end an arrow turns into the lane of the wait.
const TURN: f64 = 10.0;
/// How far a missing edge that leads back in time swings out.
const SWING: f64 = 30.0;

/// Arrow heads, and the hatching of host syncs.
pub(super) fn definitions() -> Definitions {
    let hatch = Pattern::new()
        .set("id", "hatch")
        .set("width", 6)
        .set("height", 6)
        .set("patternUnits", "userSpaceOnUse")
        .set("patternTransform", "rotate(45)")
        .add(Rectangle::new().set("width", 6).set("height", 6).set("fill", PAPER))
        .add(Rectangle::new().set("width", 1.5).set("height", 6).set("fill", "#b6bcc2"));
    Definitions::new().add(hatch).add(head("head", INK)).add(head("missing", RACE))
}

fn head(id: &str, colour: &str) -> Marker {
    let triangle = Data::new().move_to((0, 0)).line_to((9, 4.5)).line_to((0, 9)).close();
    Marker::new()
        .set("id", id)
        .set("viewBox", (0, 0, 9, 9))
        .set("refX", 8.5)
        .set("refY", 4.5)
        .set("markerWidth", 8)
        .set("markerHeight", 8)
        .set("markerUnits", "userSpaceOnUse")
        .set("orient", "auto")
        .add(Path::new().set("d", triangle).set("fill", colour))
}

/// One arrow for each edge. A pale line under each keeps it apart from what it crosses.
pub(super) fn arrows(timeline: &Timeline, frame: &Frame) -> Group {
    let mut group = Group::new().set("class", "arrows").set("fill", "none");
    for arrow in in_order(timeline, &timeline.arrows) {
        let (from, to) = (&timeline.bars[arrow.from], &timeline.bars[arrow.to]);
        let data = route(from, to, frame);
        let line = |stroke: &str, width: f64| {
            Path::new().set("d", data.clone()).set("stroke", stroke).set("stroke-width", width)
        };
        group = group.add(line(PAPER, 4.0)).add(line(INK, 1.4).set("marker-end", "url(#head)"));
    }
    group
}

/// Thin lines, behind all else, for the edges that no wait draws, where they decide when something starts. A measured
/// timeline has none: there, it is not known what did.
pub(super) fn implied(timeline: &Timeline, frame: &Frame) -> Group {
    let mut group = Group::new().set("class", "implied").set("fill", "none");
    for edge in in_order(timeline, shown(timeline)) {
        let (from, to) = (&timeline.bars[edge.from], &timeline.bars[edge.to]);
        let edge = if to.lane > from.lane { px::BAR / 2.0 } else { -px::BAR / 2.0 };
        let data = Data::new()
            .move_to((frame.x(from.end), frame.middle(from.lane) + edge))
            .line_to((frame.x(to.start), frame.middle(to.lane) - edge));
        group = group.add(Path::new().set("d", data).set("stroke", IMPLIED).set("stroke-width", 2));
    }
    group
}

/// The implied edges that are drawn.
pub(super) fn shown(timeline: &Timeline) -> impl Iterator<Item = &Arrow> {
    let decides = |edge: &&Arrow| timeline.bars[edge.to].start - timeline.bars[edge.from].end < 1e-9;
    timeline.implied.iter().filter(move |edge| timeline.scale == Scale::Logical && decides(edge))
}

/// Edges in an order that does not depend on how threads interleaved: that of their bars on the lanes.
fn in_order<'a>(timeline: &Timeline, edges: impl IntoIterator<Item = &'a Arrow>) -> Vec<&'a Arrow> {
    let mut edges: Vec<_> = edges.into_iter().collect();
    let key = |edge: &&Arrow| [edge.to, edge.from].map(|place| (timeline.bars[place].lane, place));
    let lanes = |edge: &&Arrow| key(edge).map(|(lane, _)| lane);
    // By lanes first: two places on one lane compare alike in every interleaving.
    edges.sort_by_key(|edge| (lanes(edge), key(edge)));
    edges
}

/// Out of one lane, straight to the other, and there into the end of the wait from its left.
fn route(from: &Bar, to: &Bar, frame: &Frame) -> Data {
    let (x2, y2) = (frame.x(to.end), frame.middle(to.lane));
    let down = match to.lane.cmp(&from.lane) {
        Ordering::Greater => 1.0,
        Ordering::Less => -1.0,
        Ordering::Equal => {
            return Data::new().move_to((frame.x(from.end), y2)).line_to((x2, y2));
        }
    };
    let edge = px::BAR / 2.0 + 2.0;
    let (x1, y1) = match from.kind {
        BarKind::Record => (frame.x((from.start + from.end) / 2.0), frame.middle(from.lane)),
        // From under the end of an operation.
        _ => {
            let (left, top, width, height) = frame.rectangle(from);
            (round(left + width - 5.0_f64.min(width / 2.0)), if down > 0.0 { top + height } else { top })
        }
    };
    let turn = round(x2 - TURN);
    Data::new()
        .move_to((x1, y1))
        .line_to((x1, frame.middle(from.lane) + down * edge))
        .line_to((turn, y2 - down * edge))
        .line_to((turn, y2 - down * 7.0))
        .quadratic_curve_to((turn, y2, x2, y2))
}

/// The missing edges, dashed, and a number on each bar that races.
pub(super) fn races(timeline: &Timeline, frame: &Frame) -> Group {
    let mut group = Group::new().set("class", "races").set("fill", "none");
    for (race, number) in timeline.races.iter().zip(1..) {
        if let Some(path) = missing(race, number, timeline, frame) {
            let halo = path.clone().set("stroke", PAPER).set("stroke-width", 6);
            let dashed = path
                .set("stroke", RACE)
                .set("stroke-width", 2.4)
                .set("stroke-dasharray", "7 5")
                .set("marker-end", "url(#missing)");
            group = group.add(halo).add(dashed);
        }
        for (bar, side) in [(race.first, "a"), (race.second, "b")] {
            group = group.add(badge(&format!("{number}{side}"), bar, timeline, frame));
        }
    }
    group
}

fn missing(race: &RaceMark, number: usize, timeline: &Timeline, frame: &Frame) -> Option<Path> {
    let edge = race.missing?;
    let (from, to) = (&timeline.bars[edge.from], &timeline.bars[edge.to]);
    let (x1, y1) = (frame.x(from.end), frame.middle(from.lane));
    let (x2, y2) = (frame.x(to.start), frame.middle(to.lane));
    let data = Data::new().move_to((x1, y1));
    let data = if x2 > x1 + 40.0 || to.lane == from.lane {
        let half = round((x2 - x1) / 2.0);
        data.cubic_curve_to((x1 + half, y1, x2 - half, y2, x2, y2))
    } else {
        // Backwards in time: around the first bar, between the lanes, and around the second.
        let down = if to.lane > from.lane { 1.0 } else { -1.0 };
        // Three races side by side keep apart.
        let gap = y2 - down * px::LANE / 2.0 + [0.0, 4.0, -4.0][(number - 1) % 3];
        data.cubic_curve_to((x1 + SWING, y1, x1 + SWING, gap, x1, gap)).line_to((x2, gap)).cubic_curve_to((
            x2 - SWING,
            gap,
            x2 - SWING,
            y2,
            x2,
            y2,
        ))
    };
    Some(Path::new().set("d", data))
}

/// A number at a bar's upper left corner.
fn badge(text: &str, bar: usize, timeline: &Timeline, frame: &Frame) -> Group {
    let (x, y, ..) = frame.rectangle(&timeline.bars[bar]);
    let circle = Circle::new().set("cx", x).set("cy", y).set("r", 10).set("fill", RACE).set("stroke", PAPER);
    let text = Text::new(text)
        .set("x", x)
        .set("y", y + 4.0)
        .set("font-size", px::FONT - 1.0)
        .set("font-weight", "bold")
        .set("text-anchor", "middle")
        .set("fill", PAPER);
    Group::new().add(circle).add(text)
}

/// Swatches of lines, for the legend.
pub(super) fn swatch(name: &str, x: f64, y: f64) -> Group {
    let line = Path::new().set("d", Data::new().move_to((x, y)).line_to((x + 26.0, y))).set("fill", "none");
    let line = match name {
        "missing edge" => line
            .set("stroke", RACE)
            .set("stroke-width", 2.4)
            .set("stroke-dasharray", "7 5")
            .set("marker-end", "url(#missing)"),
        "order without an event" => line.set("stroke", IMPLIED).set("stroke-width", 2),
        "stream waits" => line.set("stroke", FAINT).set("stroke-width", 1).set("stroke-dasharray", "2 3"),
        _ => line.set("stroke", INK).set("stroke-width", 1.4).set("marker-end", "url(#head)"),
    };
    let group = Group::new().add(line);
    if name == "record to wait" {
        group.add(Circle::new().set("cx", x).set("cy", y).set("r", px::DOT).set("fill", INK))
    } else {
        group
    }
}
