//! `timeline`: the pictures of the book, the trace for Perfetto, and its failures.

mod common;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use antecede_demo::{Drawn, HandOver, Ring, draw_crypt, draw_race, run_once, simulator};
use antecede_sim::Sim;
use antecede_trace::draw::{BarKind, Timeline};
use common::{Folder, program, text};
use serde_json::Value;

fn timeline(out: &Path) -> Command {
    let mut command = program();
    command.args(["timeline", "--device", "sim", "--out"]).arg(out);
    command
}

/// A ring of small chunks: the layout is the same.
fn small() -> Ring {
    Ring { chunk: "4k".parse().expect("a size"), ..Ring::default() }
}

#[track_caller]
fn assert_is_in_the_book(picture: &str, arguments: &[&str]) {
    let folder = Folder::new(b"");
    let out = folder.path("picture.svg");
    let output = timeline(&out).args(arguments).output().expect("starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/pictures").join(picture);
    let kept = fs::read(&kept).expect("readable");
    assert!(
        kept == folder.read("picture.svg"),
        "docs/src/pictures/{picture} is another picture: run scripts/pictures.sh, and look at it"
    );
    assert_eq!(folder.names(), ["in", "picture.svg"]);
}

#[test]
fn the_picture_of_the_pipeline_is_up_to_date() {
    assert_is_in_the_book("pipeline.svg", &[]);
}

#[test]
fn the_picture_of_the_race_is_up_to_date() {
    assert_is_in_the_book("race.svg", &["--race"]);
}

/// Neither the order in which the simulator does things, nor that in which the host's three threads do, shows.
#[test]
fn a_picture_is_the_same_at_each_run() {
    let picture = |seed| {
        let Drawn { timeline, title } =
            draw_crypt(Sim::builder().seed(seed).build().into(), small(), 6).expect("drawn");
        timeline.to_svg(&title)
    };
    let first = picture(0);
    for seed in 1..40 {
        assert!(picture(seed) == first, "seed {seed}");
    }
}

fn lane(timeline: &Timeline, name: &str) -> usize {
    timeline.lanes().iter().position(|lane| lane.name == name).expect("a lane")
}

#[test]
fn chunks_overlap_and_each_waits_for_its_own() {
    const CHUNKS: usize = 6;
    let Drawn { timeline, .. } = draw_crypt(simulator(), small(), CHUNKS as u16).expect("drawn");
    assert!(timeline.races().is_empty());
    let names: Vec<_> = timeline.lanes().iter().map(|lane| lane.name.as_str()).collect();
    assert_eq!(names, ["host 1", "Upload", "Compute", "Download", "host 2"]);
    let of = |name: &str, kind: BarKind| -> Vec<_> {
        let lane = lane(&timeline, name);
        timeline.bars().iter().filter(|bar| bar.lane == lane && bar.kind == kind).collect()
    };
    let (up, compute, down) =
        (of("Upload", BarKind::Copy), of("Compute", BarKind::Kernel), of("Download", BarKind::Copy));
    assert_eq!((up.len(), compute.len(), down.len()), (CHUNKS, CHUNKS, CHUNKS));
    for chunk in 0..CHUNKS {
        assert!(up[chunk].end < compute[chunk].start && compute[chunk].end < down[chunk].start, "chunk {chunk}");
    }
    // The fourth chunk goes up while the second is enciphered and the first comes back.
    let together = [up[3], compute[1], down[0]];
    let latest_start = together.iter().map(|bar| bar.start).fold(0.0, f64::max);
    let first_end = together.iter().map(|bar| bar.end).fold(f64::INFINITY, f64::min);
    assert!(latest_start < first_end, "{together:?}");
    // Two hand-overs a chunk, and an event for the host.
    assert_eq!(timeline.arrows().len(), 3 * CHUNKS);
}

#[test]
fn the_race_is_marked_and_both_accesses_are_named() {
    let Drawn { timeline, title } = draw_race(simulator()).expect("drawn");
    let [race] = timeline.races() else { panic!("one race") };
    let bars = timeline.bars();
    let accesses = [race.first, race.second].map(|bar| (bars[bar].label.as_str(), bars[bar].lane));
    assert_eq!(accesses, [("fill", lane(&timeline, "Producer")), ("copy", lane(&timeline, "Consumer"))]);
    let svg = timeline.to_svg(&title);
    assert!(svg.contains("fill on Producer writes 4 KiB that copy on Consumer reads"), "{svg}");

    let taken = run_once(simulator(), HandOver::Taken).expect("runs");
    let with_wait = Timeline::new(&taken.log).with_races(&taken.report);
    let waits = |timeline: &Timeline| timeline.bars().iter().filter(|bar| bar.kind == BarKind::Wait).count();
    assert_eq!((with_wait.races().len(), waits(&with_wait), waits(&timeline)), (0, 1, 0));
}

#[test]
fn the_ending_of_the_name_says_the_format() {
    let folder = Folder::new(b"");
    for name in ["a.svg", "a.SVG", "a.json"] {
        let output = timeline(&folder.path(name)).args(["--chunks", "2", "--chunk", "1k"]).output().expect("starts");
        assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{name}");
    }
    assert!(folder.read("a.svg").starts_with(b"<svg") && folder.read("a.SVG") == folder.read("a.svg"));
    let trace: Value = serde_json::from_slice(&folder.read("a.json")).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a list");
    let count =
        |phase: &str, name: &str| events.iter().filter(|event| event["ph"] == phase && event["name"] == name).count();
    assert_eq!((count("X", "chacha20"), count("s", "record to wait"), count("f", "record to wait")), (2, 6, 6));
    assert_eq!(trace["otherData"]["time"], "logical: no durations");
}

#[test]
fn other_endings_are_refused_before_anything_is_done() {
    let folder = Folder::new(b"");
    for name in ["picture", "picture.png", "svg", ".json", "picture.svg.gz"] {
        let mut command = timeline(&folder.path(name));
        folder.assert_fails(&mut command, 2, &["cannot tell the format of", name, "must end in .svg or .json"]);
    }
    folder.assert_fails(&mut timeline(Path::new("-")), 2, &["cannot tell the format of \"-\""]);
}

#[test]
fn wrong_arguments() {
    let folder = Folder::new(b"");
    let out = folder.path("a.svg");
    for wrong in [
        &["--chunks", "0"][..],
        &["--chunks", "1001"],
        &["--chunk", "0"],
        &["--race", "--chunks", "3"],
        &["--race", "--chunk", "4k"],
        &["a.svg"],
    ] {
        let output = timeline(&out).args(wrong).output().expect("starts");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
    assert_eq!(program().arg("timeline").output().expect("starts").status.code(), Some(2), "--out is needed");
    assert_eq!(folder.names(), ["in"]);
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let folder = Folder::new(b"");
    folder.assert_fails(&mut timeline(&folder.path("no/a.svg")), 1, &["cannot write", "there is no folder"]);
    fs::create_dir(folder.path("b.svg")).expect("made");
    folder.assert_fails(&mut timeline(&folder.path("b.svg")), 1, &["b.svg\" is a directory"]);
    // A full disk, under a name that ends well.
    std::os::unix::fs::symlink("/dev/full", folder.path("c.svg")).expect("linked");
    folder.assert_fails(&mut timeline(&folder.path("c.svg")), 1, &["cannot write", "No space left on device"]);
}

/// As `crypt` does: an old picture is replaced at the end, with the permissions of a new file.
#[test]
fn an_old_picture_is_replaced_whole_or_not_at_all() {
    let folder = Folder::new(b"");
    fs::write(folder.path("a.svg"), "old").expect("written");
    let script = format!(
        "ulimit -f 4; exec {} timeline --device sim --chunk 1k --out \"$0\"",
        env!("CARGO_BIN_EXE_antecede-demo")
    );
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).arg(folder.path("a.svg"));
    folder.assert_fails(&mut shell, 1, &["cannot write", "a.svg\"", "File too large"]);
    assert_eq!(folder.read("a.svg"), b"old");
    fs::set_permissions(folder.path("a.svg"), Permissions::from_mode(0o644)).expect("changed");
    assert!(timeline(&folder.path("a.svg")).args(["--chunk", "1k"]).status().expect("starts").success());
    assert!(folder.read("a.svg").starts_with(b"<svg"));
}

#[cfg(not(feature = "cuda"))]
#[test]
fn a_gpu_without_the_driver_for_it() {
    let folder = Folder::new(b"");
    let mut command = program();
    command.args(["timeline", "--device", "cuda", "--out"]).arg(folder.path("a.svg"));
    folder.assert_fails(&mut command, 1, &["built without CUDA", "--features cuda"]);
}

/// On a GPU every operation has a time, and none starts before what it waits for has ended, to within a microsecond: the
/// resolution of events is half of that.
#[cfg(feature = "cuda")]
#[test]
#[ignore = "needs a GPU"]
fn on_a_gpu_the_times_are_measured() {
    let cuda = antecede_cust::Cuda::new().expect("a GPU");
    let Drawn { timeline, title } = draw_crypt(cuda.into(), Ring::default(), 6).expect("drawn");
    assert_eq!(timeline.scale(), antecede_trace::draw::Scale::Microseconds);
    let bars = timeline.bars();
    for arrow in timeline.arrows() {
        let (from, to) = (&bars[arrow.from], &bars[arrow.to]);
        if to.kind == BarKind::Wait {
            assert!(from.start <= to.end + 1.0, "{from:?} {to:?}");
        }
    }
    for lane in 1..=3 {
        let operations: Vec<_> = bars.iter().filter(|bar| bar.lane == lane).collect();
        for pair in operations.windows(2) {
            assert!(pair[0].end <= pair[1].start + 1.0, "{pair:?}");
        }
    }
    let kernels = bars.iter().filter(|bar| matches!(bar.kind, BarKind::Kernel | BarKind::Copy));
    assert!(kernels.clone().count() == 18 && kernels.clone().all(|bar| bar.end - bar.start > 1.0), "{title}");
}
