//! Signals in the middle of a run.

mod common;

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use common::{Folder, crypt, sample};

/// Starts the program on a pipe that never ends, and sends the signal once the program has read from it.
#[track_caller]
fn check(signal: &str, number: i32) {
    let folder = Folder::new(b"");
    std::fs::write(folder.path("out"), "old").expect("written");
    let mut command = crypt();
    command.args(["--chunk", "16k", "-"]).arg(folder.path("out")).stdin(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    // More than a pipe holds: when all is written, the program has begun to read, so the output has been made.
    stdin.write_all(&sample(1 << 20)).expect("it reads");
    let names = folder.names();
    assert_eq!(names.len(), 3, "an unfinished file beside the old one: {names:?}");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &pid]).status().expect("starts").success());
    let status = child.wait().expect("ends");
    assert_eq!(status.signal(), Some(number), "it ends by the signal");
    assert_eq!(folder.names(), ["in", "out"]);
    assert_eq!(folder.read("out"), b"old");
    drop(stdin);
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    check("INT", 2);
}

#[test]
fn a_termination_leaves_nothing_behind() {
    check("TERM", 15);
}
