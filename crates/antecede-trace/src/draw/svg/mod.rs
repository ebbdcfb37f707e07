//! A timeline as an SVG document.

mod arrows;
mod bars;
mod frame;
mod style;
mod words;

use svg::Document;
use svg::node::element::{Description, Rectangle, Title};

use self::frame::{Frame, round};
use self::style::{FONTS, FRAME, PAPER, px};
use super::timeline::Timeline;

/// The whole document.
pub(super) fn draw(timeline: &Timeline, title: &str) -> String {
    let frame = Frame::new(timeline);
    let (below, last_line) = words::below(timeline, &frame);
    let height = round(last_line + px::MARGIN);
    let paper = Rectangle::new()
        .set("x", 0.5)
        .set("y", 0.5)
        .set("width", frame.width - 1.0)
        .set("height", height - 1.0)
        .set("rx", 6)
        .set("fill", PAPER)
        .set("stroke", FRAME);
    let document = Document::new()
        .set("viewBox", (0, 0, frame.width, height))
        .set("width", frame.width)
        .set("height", height)
        .set("role", "img")
        .set("font-family", FONTS)
        .add(Title::new(title))
        .add(Description::new().add(svg::node::Text::new(described(timeline))))
        .add(arrows::definitions())
        .add(paper)
        .add(bars::lanes(timeline, &frame))
        .add(arrows::implied(timeline, &frame))
        .add(words::title(timeline, title, &frame))
        .add(bars::bars(timeline, &frame))
        .add(arrows::arrows(timeline, &frame))
        .add(bars::records(timeline, &frame))
        .add(arrows::races(timeline, &frame))
        .add(below);
    format!("{document}\n")
}

/// The picture in a sentence or two, for who does not see it.
fn described(timeline: &Timeline) -> String {
    let names: Vec<_> = timeline.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let mut words = format!(
        "{} operations in lanes {}; {} arrows from records to waits.",
        timeline.bars.len(),
        names.join(", "),
        timeline.arrows.len()
    );
    for race in &timeline.races {
        words += &format!(" {race}.");
    }
    words
}
