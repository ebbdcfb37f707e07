//! Python as the other side: scripts, on the memory of the simulator.

mod common;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use common::{program, text};

fn script(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../antecede-ipc/examples/python")).join(name)
}

/// `ipc` on the simulator, with a script at the other side that works on the simulator's memory.
fn ipc(role: &str, name: &str, arguments: &[&str], script_arguments: &[&str]) -> Output {
    let mut command: Command = program();
    command.args(["ipc", "--device", "sim", "--rounds", "7", "--bytes", "4k", role]).arg(script(name)).args(arguments);
    command.args(["--", "--by", "simulator"]).args(script_arguments);
    command.env("PYTHONDONTWRITEBYTECODE", "1").stdin(Stdio::null()).output().expect("starts")
}

fn import(arguments: &[&str], script_arguments: &[&str]) -> Output {
    ipc("--python-import", "import_with_cuda_core.py", arguments, script_arguments)
}

fn export(arguments: &[&str]) -> Output {
    ipc("--python-export", "export_with_cuda_core.py", arguments, &[])
}

/// That it failed, and both sides say so.
#[track_caller]
fn assert_fails(output: &Output, parts: &[&str]) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in parts {
        assert!(said.contains(part), "{part:?} in {said}");
    }
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn rust_fills_and_python_answers() {
    let output = import(&["--ready", "sync"], &[]);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    // 7 that are measured, after 10 that are not.
    assert_eq!(said, "verified 17 buffers by the simulator's files\n");
    assert!(text(&output.stdout).starts_with("4.00 KiB, lent to 1 importer"));
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn rust_publishes_and_several_in_python_read() {
    let output = import(&["--ready", "sync", "--importers", "3"], &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "verified 17 buffers by the simulator's files\n".repeat(3));
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn python_fills_and_rust_answers() {
    let output = export(&["--ready", "sync"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "verified 7 buffers by the simulator's files\n");
    assert!(text(&output.stdout).starts_with("7 buffers of 4096 bytes of a script's, verified and let go (sim)"));
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn python_finds_a_wrong_word_of_rusts() {
    let output = import(&["--ready", "sync", "--plant", "fill"], &[]);
    assert_fails(
        &output,
        &["AssertionError: round 3: word 512 of 1024 is 0x", "importer 0 (process", "exit status: 1"],
    );
    let output = export(&["--ready", "sync", "--plant", "answer"]);
    assert_fails(
        &output,
        &["AssertionError: round 3: word 512 of 1024 is 0x", "the script (process", "exit status: 1"],
    );
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn what_python_declines_rust_has_back() {
    // Published, it is to come back as it was; lent, with an answer in it.
    let output = import(&["--ready", "both", "--importers", "2"], &["--decline"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "declined 34 buffers by the simulator's files\n".repeat(2));
    let output = import(&["--ready", "sync"], &["--decline"]);
    assert_fails(&output, &["antecede-demo: in round 0 word 0 is 0x00000000, expected 0x"]);
}

#[test]
#[cfg_attr(not(python3), ignore = "there is no python3")]
fn an_event_that_cannot_be_waited_for_is_not_passed_over() {
    let output = import(&["--ready", "event"], &[]);
    assert_fails(&output, &["RuntimeError: events of the simulator cannot be waited for here", "importer 0 (process"]);
    let output = export(&["--ready", "event"]);
    assert_fails(&output, &["RuntimeError: there are no events of the simulator here", "the script (process"]);
}

#[test]
fn a_python_that_is_not_there() {
    let output = import(&["--python", "/no/python"], &[]);
    assert_fails(&output, &["antecede-demo: cannot start \"/no/python\": No such file or directory"]);
}
