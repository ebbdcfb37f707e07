//! Arrows, and the edges that are missing.

use svg::node::element::path::Data;
use svg::node::element::{Circle, Definitions, Group, Marker, Path, Pattern, Rectangle, Text};

use super::super::mark::RaceMark;
use super::super::timeline::Timeline;
use super::frame::{Frame, round};
use super::style::{FAINT, INK, PAPER, RACE, px};

/// How far from its end an arrow turns into the lane of the wait.
const TURN: f64 = 11.0;

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
    for arrow in &timeline.arrows {
        let (from, to) = (&timeline.bars[arrow.from], &timeline.bars[arrow.to]);
        let start = frame.x(if from.kind.waits() || from.bytes != 0 { from.end } else { (from.start + from.end) / 2.0 });
        let data = route((start, from.lane), (frame.x(to.end), to.lane), frame);
        let line = |stroke: &str, width: f64| {
            Path::new().set("d", data.clone()).set("stroke", stroke).set("stroke-width", width)
        };
        group = group.add(line(PAPER, 4.0)).add(line(INK, 1.4).set("marker-end", "url(#head)"));
    }
    group
}

/// Down (or up) out of one lane, straight to the other, and there into the end of the wait from its left.
fn route((x1, from): (f64, usize), (x2, to): (f64, usize), frame: &Frame) -> Data {
    let (y1, y2) = (frame.middle(from), frame.middle(to));
    let data = Data::new().move_to((x1, y1));
    if from == to {
        return data.line_to((x2, y2));
    }
    let down = if y2 > y1 { 1.0 } else { -1.0 };
    let edge = px::BAR / 2.0 + 2.0;
    let turn = round(x2 - TURN);
    data.line_to((x1, y1 + down * edge))
        .line_to((turn, y2 - down * edge))
        .line_to((turn, y2 - down * 7.0))
        .quadratic_curve_to((turn, y2, x2, y2))
}

/// The missing edges, dashed, and a number on each bar that races.
pub(super) fn races(timeline: &Timeline, frame: &Frame) -> Group {
    let mut group = Group::new().set("class", "races").set("fill", "none");
    for (race, number) in timeline.races.iter().zip(1..) {
        if let Some(path) = missing(race, timeline, frame) {
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

fn missing(race: &RaceMark, timeline: &Timeline, frame: &Frame) -> Option<Path> {
    let edge = race.missing?;
    let (from, to) = (&timeline.bars[edge.from], &timeline.bars[edge.to]);
    let (x1, y1) = (frame.x(from.end), frame.middle(from.lane));
    let (x2, y2) = (frame.x(to.start), frame.middle(to.lane));
    // Backwards in time the line swings out on both sides, so that its ends are seen.
    let swing = if x2 > x1 + 60.0 { (x2 - x1) / 2.0 } else { 48.0 };
    let data = Data::new().move_to((x1, y1)).cubic_curve_to((
        round(x1 + swing),
        y1,
        round(x2 - swing),
        y2,
        x2,
        y2,
    ));
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

/// Swatches of the three lines, for the legend.
pub(super) fn swatch(name: &str, x: f64, y: f64) -> Group {
    let line = Path::new().set("d", Data::new().move_to((x, y)).line_to((x + 26.0, y))).set("fill", "none");
    let line = match name {
        "missing edge" => line
            .set("stroke", RACE)
            .set("stroke-width", 2.4)
            .set("stroke-dasharray", "7 5")
            .set("marker-end", "url(#missing)"),
        "stream waits" => line.set("stroke", FAINT).set("stroke-width", 1).set("stroke-dasharray", "2 3"),
        _ => line.set("stroke", INK).set("stroke-width", 1.4).set("marker-end", "url(#head)"),
    };
    let group = Group::new().add(line);
    if name == "record to wait" {
        group.add(Circle::new().set("cx", x).set("cy", y).set("r", 3).set("fill", INK))
    } else {
        group
    }
}
