//! The SVG document.

use std::collections::BTreeSet;
use std::path::Path;

use antecede_trace::draw::Timeline;
use antecede_trace::{LogBuilder, Span, Times, judge};
use roxmltree::{Document, Node};

use super::hand_over;

/// Everything that is drawn in a way of its own, in one picture.
fn of_all_kinds() -> (Timeline, Timeline) {
    let mut log = LogBuilder::new();
    let (upload, compute) = (log.stream("Upload"), log.stream("Compute"));
    let x = log.alloc(upload, 1 << 16);
    let y = log.outside(1 << 16);
    log.fill(upload, x);
    let event = log.event();
    log.record(event, upload);
    log.wait(compute, event);
    log.launch(compute, "a_kernel_with_a_long_name", &[x], &[]);
    log.fill(compute, y);
    log.failed();
    log.host_fn(compute, &[], &[y]);
    log.event_sync(event);
    log.peer_copy(upload, x, y);
    log.sync(compute);
    log.host_read(y);
    log.free(upload, x);
    let log = log.finish();
    let report = judge(&log);
    let spans = log.entries().iter().map(|entry| {
        let start = entry.seq as f64 * 12.5;
        (entry.seq, Span { start, end: start + 11.0 })
    });
    let times: Times = spans.collect();
    (Timeline::new(&log).with_races(&report), Timeline::measured(&log, &times).with_races(&report))
}

/// `UPDATE_PICTURES=1 cargo test -p antecede-trace --features draw --test draw` writes them anew.
#[test]
fn pictures_are_as_they_were() {
    let (logical, measured) = of_all_kinds();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/draw/pictures");
    for (name, timeline) in [("logical.svg", logical), ("measured.svg", measured)] {
        let (path, drawn) = (folder.join(name), timeline.to_svg("all kinds"));
        if std::env::var_os("UPDATE_PICTURES").is_some() {
            std::fs::write(&path, &drawn).expect("written");
        }
        let kept = std::fs::read_to_string(&path).expect("readable");
        assert!(kept == drawn, "{path:?} is another picture: look at both, and write it anew with UPDATE_PICTURES=1");
    }
}

#[test]
fn the_document_is_well_formed_whatever_the_title() {
    let title = "copies & <kernels> \"of\" a 'log'";
    let svg = Timeline::new(&hand_over()).to_svg(title);
    let document = Document::parse(&svg).expect("XML");
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
    let spoken = root.children().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    assert_eq!(spoken.and_then(|node| node.text()).map(str::trim), Some(title));
}

#[test]
fn everything_lies_within_the_picture_on_an_opaque_ground() {
    for timeline in [of_all_kinds().0, of_all_kinds().1, Timeline::new(&hand_over())] {
        let svg = timeline.to_svg("a title");
        let document = Document::parse(&svg).expect("XML");
        let view: Vec<f64> =
            document.root_element().attribute("viewBox").expect("a size").split(' ').map(number).collect();
        let (width, height) = (view[2], view[3]);
        let shapes: Vec<_> = document.descendants().filter(|node| node.is_element() && !is_definition(node)).collect();
        let paper = shapes.iter().find(|node| node.tag_name().name() == "rect").expect("a ground");
        assert_eq!(paper.attribute("fill"), Some("#ffffff"));
        assert!(value(paper, "width") >= width - 1.0 && value(paper, "height") >= height - 1.0);
        for node in shapes {
            if node.tag_name().name() == "rect" {
                assert!(value(&node, "x") >= 0.0 && value(&node, "x") + value(&node, "width") <= width, "{node:?}");
                assert!(value(&node, "y") >= 0.0 && value(&node, "y") + value(&node, "height") <= height, "{node:?}");
            }
            if node.tag_name().name() == "text" {
                assert!((0.0..width).contains(&value(&node, "x")) && (0.0..height).contains(&value(&node, "y")));
                assert!(node.attribute("fill").is_some(), "a text has a colour of its own: {node:?}");
            }
        }
    }
}

/// A text in a bar is cut rather than run over the next bar.
#[test]
fn labels_fit_into_their_bars() {
    let svg = of_all_kinds().0.to_svg("a title");
    let document = Document::parse(&svg).expect("XML");
    let bars = document.descendants().find(|node| node.attribute("class") == Some("bars")).expect("bars");
    let mut labels = BTreeSet::new();
    for group in bars.children().filter(Node::is_element) {
        let Some(bar) = group.children().find(|node| node.tag_name().name() == "rect") else { continue };
        for text in group.children().filter(|node| node.tag_name().name() == "text") {
            let words = text.text().expect("words").trim();
            // Wider than in any common font.
            let needed = words.chars().count() as f64 * value(&text, "font-size") * 0.6;
            assert!(needed <= value(&bar, "width"), "{words:?} in {}", value(&bar, "width"));
            labels.insert(words.to_owned());
        }
    }
    for label in ["fill", "fill ✗", "a_kern…", "host_fn", "64 KiB", "copy", "free", "alloc", "read"] {
        assert!(labels.contains(label), "{label:?} in {labels:?}");
    }
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

fn value(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, number)
}

fn is_definition(node: &Node<'_, '_>) -> bool {
    node.ancestors().any(|node| matches!(node.tag_name().name(), "defs"))
}
