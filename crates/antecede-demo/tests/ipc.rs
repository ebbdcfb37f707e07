//! `ipc`, as a user sees it: right rounds, wrong words, and processes that die.

mod common;

use std::process::{Command, Output, Stdio};

use common::{assert_failure, program, text};

/// `ipc` on the simulator.
fn ipc(arguments: &[&str]) -> Output {
    let mut command: Command = program();
    command.args(["ipc", "--device", "sim"]).args(arguments).stdin(Stdio::null());
    command.output().expect("the program starts")
}

/// 20 rounds of 64 KiB.
fn run(arguments: &[&str]) -> Output {
    ipc(&[&["--rounds", "20", "--bytes", "64k"], arguments].concat())
}

/// The lines of the table after its head: the way, and the numbers.
#[track_caller]
fn rows(output: &Output, head: &str) -> Vec<(String, Vec<f64>)> {
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let shown = text(&output.stdout);
    assert!(shown.starts_with(head), "{head:?} in {shown}");
    let row = |line: &str| {
        let mut words = line.split_whitespace().filter(|word| *word != "|").map(str::to_owned);
        (words.next().expect("a way"), words.map(|number| number.parse().expect("a number")).collect())
    };
    shown.lines().skip(2).map(row).collect()
}

#[track_caller]
fn assert_both_ways(output: &Output, head: &str) {
    let rows = rows(output, head);
    let ways: Vec<&str> = rows.iter().map(|(way, _)| &**way).collect();
    assert_eq!(ways, ["sync", "event"]);
    for (_, numbers) in rows {
        let [rate, median, p99, min, hand_out, importer, _, verify] = numbers[..] else { panic!("{numbers:?}") };
        assert!(rate > 0.0 && min > 0.0 && min <= median && median <= p99, "{numbers:?}");
        assert!(hand_out > 0.0 && importer > 0.0 && verify > 0.0, "{numbers:?}");
    }
}

#[test]
fn one_importer_is_lent_the_buffer_and_answers() {
    let head = "64.00 KiB, lent to 1 importer, which answers in it: 20 rounds each way, every word verified (sim)";
    assert_both_ways(&run(&[]), head);
}

#[test]
fn several_importers_read_the_buffer_at_once() {
    let head = "64.00 KiB, published to 3 importers, which read it: 20 rounds each way, every word verified (sim)";
    assert_both_ways(&run(&["--importers", "3"]), head);
}

#[test]
fn one_way_alone_and_the_smallest_buffer() {
    for way in ["sync", "event"] {
        let rows = rows(&ipc(&["--ready", way, "--bytes", "1", "--rounds", "1"]), "64 B, lent to 1 importer");
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].0, way);
    }
}

#[test]
fn a_wrong_word_of_the_exporters_is_found_by_an_importer() {
    for importers in ["1", "3"] {
        for way in ["sync", "event"] {
            let output = run(&["--importers", importers, "--ready", way, "--plant", "fill"]);
            assert_failure(&output, 1, &["importer ", "has failed (exit status: 1)", "in round 3 word 8192 is 0x"]);
            assert_eq!(text(&output.stdout), "");
        }
    }
}

#[test]
fn a_wrong_word_of_an_importers_is_found_by_the_exporter() {
    for way in ["sync", "event"] {
        let output = run(&["--ready", way, "--plant", "answer"]);
        assert_failure(&output, 1, &["antecede-demo: in round 3 word 8192 is 0x"]);
    }
}

#[test]
fn an_importer_that_ends_with_the_buffer_fails_the_run() {
    for importers in ["1", "3"] {
        let output = run(&["--importers", importers, "--plant", "exit"]);
        assert_failure(&output, 1, &["importer 0 (process ", ") has failed (exit status: 3)"]);
    }
}

#[test]
fn an_importer_that_keeps_the_buffer_meets_the_time_limit() {
    for importers in ["1", "3"] {
        let output = run(&["--importers", importers, "--plant", "hang", "--time-limit", "1"]);
        assert_failure(&output, 1, &["importer #0 (process ", "has not let go of the buffer within the time limit"]);
    }
}

#[test]
fn wrong_arguments_are_refused() {
    for wrong in [
        &["--importers", "0"][..],
        &["--rounds", "0"],
        &["--time-limit", "0"],
        &["--bytes", "0"],
        &["--ready", "never"],
        &["--python-import", "a", "--python-export", "b"],
        &["--python-export", "a", "--importers", "2"],
    ] {
        let output = ipc(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(text(&output.stderr).contains(&format!("'{}", wrong[0])), "{wrong:?}: {}", text(&output.stderr));
    }
}

#[test]
fn an_importer_wants_a_connection_as_standard_input() {
    let mut command = program();
    let output = command.args(["ipc-importer", "--device", "sim"]).stdin(Stdio::null()).output().expect("starts");
    assert_failure(&output, 1, &["not a connected Unix SOCK_SEQPACKET socket: it is no socket"]);
}

#[cfg(not(feature = "cuda"))]
#[test]
fn a_gpu_without_the_driver_for_it() {
    let mut command = program();
    let output = command.args(["ipc", "--device", "cuda"]).stdin(Stdio::null()).output().expect("starts");
    assert_failure(&output, 1, &["built without CUDA"]);
}
