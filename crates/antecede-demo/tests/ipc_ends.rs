//! However one process of `ipc` ends, none is left.

mod common;

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use common::{assert_failure, program};

/// A run that would take for ever, and its importers.
struct Endless {
    child: Child,
    importers: Vec<u32>,
}

impl Endless {
    /// Each process of the run has this test's pipe open, under the number 9: it ends when the last of them has.
    fn start(importers: usize) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec 9>&1; exec "$@""#, "sh"]).arg(program().get_program());
        command.args(["ipc", "--device", "sim", "--rounds", "4000000000", "--bytes", "4k", "--importers"]);
        command.arg(importers.to_string()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("starts");
        let importers = children(child.id(), importers);
        Endless { child, importers }
    }

    /// Returns when every process of the run has ended.
    fn all_ended(&mut self) {
        let mut rest = Vec::new();
        self.child.stdout.take().expect("piped").read_to_end(&mut rest).expect("readable");
        assert_eq!(rest, b"", "no table of a run that was ended");
    }
}

/// So many children, however soon they are there.
fn children(pid: u32, count: usize) -> Vec<u32> {
    loop {
        let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).expect("it runs");
        let children: Vec<u32> = list.split_whitespace().map(|child| child.parse().expect("a pid")).collect();
        if children.len() == count {
            return children;
        }
        std::thread::yield_now();
    }
}

fn kill(signal: &str, pid: u32) {
    assert!(Command::new("kill").args(["-s", signal, &pid.to_string()]).status().expect("starts").success());
}

#[test]
fn a_killed_importer_fails_the_run_and_the_others_end() {
    for count in [1, 3] {
        let mut run = Endless::start(count);
        let victim = *run.importers.last().expect("one");
        kill("KILL", victim);
        run.all_ended();
        let output = run.child.wait_with_output().expect("ends");
        let words = format!("importer {} (process {victim}) has failed (signal: 9 (SIGKILL))", count - 1);
        assert_failure(&output, 1, &[&words]);
    }
}

#[test]
fn the_importers_end_with_the_exporter_whatever_ends_it() {
    for (signal, number) in [("KILL", 9), ("INT", 2), ("TERM", 15)] {
        for count in [1, 3] {
            let mut run = Endless::start(count);
            kill(signal, run.child.id());
            run.all_ended();
            assert_eq!(run.child.wait().expect("ends").signal(), Some(number), "it ends by the signal");
        }
    }
}
