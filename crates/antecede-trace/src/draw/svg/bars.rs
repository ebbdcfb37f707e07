//! Lanes and bars.

use svg::node::element::{Circle, Group, Line, Rectangle, Text, Title};

use super::super::bar::{Bar, BarKind};
use super::super::mark::bytes;
use super::super::timeline::{Scale, Timeline};
use super::frame::{Frame, round};
use super::style::{self, FAINT, INK, PAPER, RACE, STRIPE, px};

/// Stripes and names.
pub(super) fn lanes(timeline: &Timeline, frame: &Frame) -> Group {
    let mut group = Group::new().set("class", "lanes");
    for (place, lane) in timeline.lanes.iter().enumerate() {
        let middle = frame.middle(place);
        if place % 2 == 0 {
            let stripe = Rectangle::new()
                .set("x", 1)
                .set("y", middle - px::LANE / 2.0)
                .set("width", frame.width - 2.0)
                .set("height", px::LANE)
                .set("fill", STRIPE);
            group = group.add(stripe);
        }
        let name = Text::new(lane.name.as_str())
            .set("x", px::MARGIN)
            .set("y", middle + px::TEXT * 0.35)
            .set("font-size", px::TEXT)
            .set("font-weight", if lane.stream.is_some() { "bold" } else { "normal" })
            .set("font-style", if lane.stream.is_some() { "normal" } else { "italic" })
            .set("fill", INK);
        group = group.add(name);
    }
    group
}

/// All bars but records.
pub(super) fn bars(timeline: &Timeline, frame: &Frame) -> Group {
    let mut group = Group::new().set("class", "bars");
    for (place, bar) in in_order(timeline).filter(|(_, bar)| bar.kind != BarKind::Record) {
        let races = timeline.races.iter().any(|race| race.first == place || race.second == place);
        let title = Title::new(spoken(timeline, bar));
        group = group.add(match bar.kind {
            BarKind::Wait => wait(bar, frame).add(title),
            _ => operation(bar, races, frame).add(title),
        });
    }
    group
}

/// The records, each a point of its lane. They lie over the arrows, which begin there.
pub(super) fn records(timeline: &Timeline, frame: &Frame) -> Group {
    let mut group = Group::new().set("class", "records");
    for (_, bar) in in_order(timeline).filter(|(_, bar)| bar.kind == BarKind::Record) {
        let (x, y) = (frame.x((bar.start + bar.end) / 2.0), frame.middle(bar.lane));
        let dot = Circle::new().set("cx", x).set("cy", y).set("r", px::DOT).set("fill", INK).set("stroke", PAPER);
        group = group.add(dot.add(Title::new(spoken(timeline, bar))));
    }
    group
}

/// The bars with their places, lane by lane: an order that does not depend on how threads interleaved.
fn in_order(timeline: &Timeline) -> impl Iterator<Item = (usize, &Bar)> {
    let mut bars: Vec<_> = timeline.bars.iter().enumerate().collect();
    bars.sort_by_key(|(_, bar)| bar.lane);
    bars.into_iter()
}

/// A wait is a thin line up to where the stream goes on.
fn wait(bar: &Bar, frame: &Frame) -> Group {
    let y = frame.middle(bar.lane);
    let line = Line::new()
        .set("x1", frame.x(bar.start))
        .set("x2", frame.x(bar.end))
        .set("y1", y)
        .set("y2", y)
        .set("stroke", FAINT)
        .set("stroke-width", 1)
        .set("stroke-dasharray", "2 3");
    Group::new().add(line)
}

fn operation(bar: &Bar, races: bool, frame: &Frame) -> Group {
    let (x, y, width, height) = frame.rectangle(bar);
    let (fill, ink) = style::colours(bar.kind);
    let (stroke, stroke_width) = if races { (RACE, 3.0) } else { (INK, 0.8) };
    let mut rectangle = Rectangle::new()
        .set("x", x)
        .set("y", y)
        .set("width", width)
        .set("height", height)
        .set("rx", if width < 8.0 { 0 } else { 3 })
        .set("fill", fill)
        .set("stroke", stroke)
        .set("stroke-width", stroke_width);
    if bar.failed {
        rectangle = rectangle.set("stroke-dasharray", "4 3");
    }
    let mut group = Group::new().add(rectangle);
    let label = if bar.failed { format!("{} ✗", bar.label) } else { bar.label.clone() };
    let small = height < px::BAR;
    let font = if small { px::FONT - 2.0 } else { px::FONT };
    // An arrow comes in at the right end of a sync.
    let room = width - if bar.kind == BarKind::Sync { 18.0 } else { 6.0 };
    let Some(label) = style::fitted(&label, font, room) else { return group };
    let second = Some(bytes(bar.bytes)).filter(|_| bar.bytes != 0 && !small);
    let second = second.filter(|second| style::width_of(second, font - 2.0) <= room);
    let middle = y + height / 2.0;
    let (at, anchor) = if bar.kind == BarKind::Sync { (x + 6.0, "start") } else { (x + width / 2.0, "middle") };
    let line = |text: &str, y: f64, font: f64| {
        Text::new(text)
            .set("x", round(at))
            .set("y", round(y))
            .set("font-size", font)
            .set("text-anchor", anchor)
            .set("fill", ink)
    };
    match second {
        Some(second) => {
            group = group.add(line(&label, middle - 2.5, font));
            group.add(line(&second, middle + 11.0, font - 2.0))
        }
        None => group.add(line(&label, middle + font * 0.35, font)),
    }
}

/// What a pointer over the bar, or a screen reader, says.
fn spoken(timeline: &Timeline, bar: &Bar) -> String {
    let mut words = format!("{} on {}", bar.label, timeline.lanes[bar.lane].name);
    if bar.label != bar.kind.word() {
        words = format!("{} {words}", bar.kind.word());
    }
    if bar.bytes != 0 {
        words += &format!(", {}", bytes(bar.bytes));
    }
    if timeline.scale == Scale::Microseconds {
        words += &format!(", {:.1} to {:.1} µs", bar.start, bar.end);
    }
    if bar.failed {
        words += ", failed";
    }
    words
}
