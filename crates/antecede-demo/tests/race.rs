//! `race`, as a reader sees it.

mod common;

use common::{program, text};

#[test]
fn both_runs_are_shown() {
    let output = program().args(["race", "--device", "sim"]).output().expect("starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    for part in [
        "consumer.take_unchecked(x)",
        "0 0 0 0 0 0 0 0 .. WRONG: 1024 of 1024 values",
        "1 race in",
        "read after write",
        "consumer.take(x)?",
        "7 7 7 7 7 7 7 7 .. right",
        "no race in",
    ] {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    assert!(shown.lines().count() < 25, "short: {shown}");
}
