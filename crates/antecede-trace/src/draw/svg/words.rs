//! Title, axis, legend, and the races in words.

use std::collections::BTreeSet;

use svg::node::element::{Group, Line, Rectangle, Text};

use super::super::bar::BarKind;
use super::super::timeline::{Scale, Timeline};
use super::arrows::{shown, swatch};
use super::frame::{Frame, round};
use super::style::{self, FAINT, FRAME, INK, RACE, px};

/// The most races that are told in words.
const MOST_RACES: usize = 8;

/// The title, and what the time is.
pub(super) fn title(timeline: &Timeline, title: &str, frame: &Frame) -> Group {
    let time = match timeline.scale {
        Scale::Logical => "Logical time: a bar starts after all that it waits for, and its width is no duration.",
        Scale::Microseconds => "Measured time, in microseconds.",
    };
    let baseline = px::MARGIN + px::TITLE * 0.8;
    let title = text(title, px::MARGIN, baseline, px::TITLE).set("font-weight", "bold");
    let time = text(time, px::MARGIN, baseline + px::LINE, px::FONT).set("fill", FAINT);
    let group = Group::new().add(title).add(time);
    if timeline.scale == Scale::Microseconds { axis(timeline, frame, group) } else { group }
}

/// A line at each round number of microseconds.
fn axis(timeline: &Timeline, frame: &Frame, mut group: Group) -> Group {
    let step = round_step(timeline.end() / 10.0);
    let (top, bottom) = (frame.top, frame.bottom(timeline.lanes.len()));
    for tick in 0..=(timeline.end() / step) as u64 {
        let time = tick as f64 * step;
        let x = frame.x(time);
        let line = Line::new().set("x1", x).set("x2", x).set("y1", top).set("y2", bottom).set("stroke", FRAME);
        let number = text(&format!("{}", round(time)), x, top - 6.0, px::FONT - 1.0);
        group = group.add(line).add(number.set("text-anchor", "middle").set("fill", FAINT));
    }
    group
}

/// The least of 1, 2 and 5 times a power of ten that is not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(0.1).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|&step| step >= least).unwrap_or(10.0 * power)
}

/// What is below the lanes, and where it ends.
pub(super) fn below(timeline: &Timeline, frame: &Frame) -> (Group, f64) {
    let y = frame.bottom(timeline.lanes.len()) + px::LINE + 4.0;
    let (group, y) = races(timeline, frame, Group::new(), y);
    legend(timeline, frame, group, y)
}

fn races(timeline: &Timeline, frame: &Frame, mut group: Group, mut y: f64) -> (Group, f64) {
    let width = frame.width - 2.0 * px::MARGIN - 20.0;
    let shown = timeline.races.iter().take(MOST_RACES).zip(1..);
    let mut lines: Vec<(String, bool)> = Vec::new();
    for (race, number) in shown {
        let story = style::wrapped(&format!("Race {number}, {}", race.story()), px::TEXT, width);
        let remedy = style::wrapped(race.remedy(), px::TEXT, width);
        lines.extend(story.into_iter().map(|line| (line, true)).chain(remedy.into_iter().map(|line| (line, false))));
    }
    if let Some(more) = timeline.races.len().checked_sub(MOST_RACES + 1) {
        lines.push((format!("and {} more", more + 1), false));
    }
    for (line, is_story) in lines {
        let line = text(&line, px::MARGIN + if is_story { 0.0 } else { 16.0 }, y, px::TEXT);
        let line = if is_story { line.set("fill", RACE).set("font-weight", "bold") } else { line };
        group = group.add(line);
        y += px::LINE;
    }
    (group, if timeline.races.is_empty() { y } else { y + 6.0 })
}

/// Swatches of what the picture has, in as many rows as they need.
fn legend(timeline: &Timeline, frame: &Frame, mut group: Group, mut y: f64) -> (Group, f64) {
    let kinds: BTreeSet<BarKind> = timeline.bars.iter().map(|bar| bar.kind).collect();
    let boxes = kinds.into_iter().filter(|kind| !matches!(kind, BarKind::Record | BarKind::Wait));
    let lines = [
        ("record to wait", !timeline.arrows.is_empty()),
        ("order without an event", shown(timeline).next().is_some()),
        ("stream waits", timeline.bars.iter().any(|bar| bar.kind == BarKind::Wait)),
        ("missing edge", timeline.races.iter().any(|race| race.missing.is_some())),
    ];
    let lines = lines.into_iter().filter(|&(_, is_there)| is_there).map(|(name, _)| (name, None));
    let mut x = px::MARGIN;
    for (name, kind) in boxes.map(|kind| (kind.word(), Some(kind))).chain(lines) {
        let needed = 34.0 + style::width_of(name, px::FONT) + 16.0;
        if x + needed > frame.width - px::MARGIN && x > px::MARGIN {
            (x, y) = (px::MARGIN, y + px::LINE);
        }
        group = match kind {
            Some(kind) => group.add(
                Rectangle::new()
                    .set("x", round(x))
                    .set("y", y - 10.0)
                    .set("width", 26)
                    .set("height", 13)
                    .set("rx", 2)
                    .set("fill", style::colours(kind).0)
                    .set("stroke", INK)
                    .set("stroke-width", 0.8),
            ),
            None => group.add(swatch(name, round(x), y - 4.0)),
        };
        group = group.add(text(name, x + 34.0, y, px::FONT));
        x += needed;
    }
    (group, y)
}

fn text(words: &str, x: f64, y: f64, font: f64) -> Text {
    Text::new(words).set("x", round(x)).set("y", round(y)).set("font-size", font).set("fill", INK)
}

#[cfg(test)]
mod tests {
    use super::round_step;

    #[test]
    fn the_axis_has_round_numbers() {
        for (least, step) in [(0.03, 0.1), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (51.0, 100.0), (1200.0, 2000.0)] {
            assert!((round_step(least) - step).abs() < 1e-9, "{least}: {}", round_step(least));
        }
    }
}
