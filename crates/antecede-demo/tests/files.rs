//! Files through the program, compared with two other implementations.

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::process::Command;

use common::{Folder, KEY, NONCE, by_crate, by_openssl, crypt, feed, program, sample, text};

const CHUNKS: [Option<&str>; 6] = [Some("1"), Some("63"), Some("64"), Some("1000"), Some("64KiB"), None];

/// One length in every chunk size, against both other implementations.
#[track_caller]
fn check(len: usize) {
    let (plain, counter) = (sample(len), 1);
    let expected = by_crate(counter, &plain);
    assert!(by_openssl(counter, &plain) == expected, "two other implementations agree");
    let folder = Folder::new(&plain);
    for chunk in CHUNKS {
        let mut command = crypt();
        command.args(["--counter", "1"]).args(chunk.iter().flat_map(|chunk| ["--chunk", chunk]));
        let output = command.args([folder.path("in"), folder.path("out")]).output().expect("starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(folder.read("out") == expected, "{len} bytes in chunks of {chunk:?}");
    }
    assert_eq!(folder.names(), ["in", "out"]);
}

#[test]
fn an_empty_file() {
    check(0);
}

#[test]
fn less_than_a_block() {
    check(1);
    check(63);
}

#[test]
fn a_block_and_a_byte_more() {
    check(64);
    check(65);
}

#[test]
fn many_blocks_and_some_bytes() {
    check((1 << 20) + 7);
}

#[test]
fn the_end_of_the_ring_is_the_end_of_the_file() {
    // 64 KiB chunks: as many as there are slots, twice that, and one byte around it.
    for len in [4 << 16, (8 << 16) - 1, 8 << 16, (8 << 16) + 1] {
        let plain = sample(len);
        let output = feed(crypt().args(["--chunk", "64k", "-", "-"]), &plain);
        assert!(output.stdout == by_crate(0, &plain), "{len} bytes");
    }
}

#[test]
fn the_same_command_deciphers() {
    let plain = sample(300_001);
    let folder = Folder::new(&plain);
    for (from, to) in [("in", "enciphered"), ("enciphered", "out")] {
        let status = crypt().arg("-q").args([folder.path(from), folder.path(to)]).status().expect("starts");
        assert!(status.success());
    }
    assert!(folder.read("enciphered") != plain);
    assert!(folder.read("out") == plain);
}

#[test]
fn pipes_in_and_out() {
    let plain = sample(500_003);
    for counter in [0, 77] {
        let output = feed(crypt().args(["--counter", &counter.to_string(), "--chunk", "10k", "-", "-"]), &plain);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(output.stdout == by_crate(counter, &plain));
        assert!(output.stdout == by_openssl(counter, &plain));
    }
}

#[test]
fn a_pipe_into_a_file_and_a_file_into_a_pipe() {
    let plain = sample(70_000);
    let folder = Folder::new(&plain);
    let output = feed(crypt().arg("-").arg(folder.path("out")), &plain);
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(folder.read("out") == by_crate(0, &plain));
    let output = feed(crypt().arg(folder.path("in")).arg("-"), b"");
    assert!(output.stdout == by_crate(0, &plain));
}

#[test]
fn files_that_are_made_as_they_are_read() {
    // Its length is said to be 0.
    let plain = fs::read("/proc/version").expect("readable");
    let output = feed(crypt().args(["/proc/version", "-"]), b"");
    assert!(!plain.is_empty());
    assert_eq!(output.stdout, by_crate(0, &plain));
}

#[test]
fn a_pipe_with_a_name_stays_one() {
    let plain = sample(200_000);
    let folder = Folder::new(&plain);
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("starts").success());
    let mut child = crypt().arg("-q").args([&folder.path("in"), &pipe]).spawn().expect("starts");
    let written = fs::read(&pipe).expect("readable");
    assert!(child.wait().expect("ends").success());
    assert!(written == by_crate(0, &plain));
    assert_eq!(folder.names(), ["in", "pipe"]);
}

#[test]
fn an_old_file_is_replaced_behind_its_link() {
    let plain = sample(1000);
    let folder = Folder::new(&plain);
    fs::write(folder.path("old"), "longer than nothing").expect("written");
    symlink("old", folder.path("link")).expect("linked");
    assert!(crypt().arg("-q").args([folder.path("in"), folder.path("link")]).status().expect("starts").success());
    assert_eq!(folder.read("old"), by_crate(0, &plain));
    assert!(folder.path("link").is_symlink());
    assert_eq!(folder.names(), ["in", "link", "old"]);
}

#[test]
fn a_new_file_gets_the_permissions_of_any_new_file() {
    let folder = Folder::new(b"text");
    let script = format!(
        "umask 027; exec {} crypt -q --device sim --key {KEY} --nonce {NONCE} \"$0\" \"$1\"",
        env!("CARGO_BIN_EXE_antecede-demo")
    );
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).args([folder.path("in"), folder.path("out")]);
    assert!(shell.status().expect("starts").success());
    assert_eq!(folder.path("out").metadata().expect("there").mode() & 0o7777, 0o640);
}

#[test]
fn the_summary_goes_to_standard_error_unless_quiet() {
    let plain = sample(3 << 10);
    let output = feed(crypt().args(["--chunk", "1k", "-", "-"]), &plain);
    let stderr = text(&output.stderr);
    assert!(
        stderr.starts_with("enciphered 3.00 KiB in ") && stderr.ends_with("(sim, 4 slots of 1.00 KiB)\n"),
        "{stderr}"
    );
    let output = feed(crypt().args(["--quiet", "-", "-"]), &plain);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn help_names_what_there_is() {
    let output = program().args(["crypt", "--help"]).output().expect("starts");
    let help = text(&output.stdout);
    for part in ["--key", "--nonce", "--counter", "--device", "--chunk", "--quiet", "multiple of 64", "openssl enc"] {
        assert!(help.contains(part), "{part} in {help}");
    }
}
