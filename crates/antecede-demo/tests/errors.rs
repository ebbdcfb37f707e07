//! Each failure: one line that names the cause, its exit code, and nothing left behind.

mod common;

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use common::{Folder, KEY, NONCE, assert_failure, by_openssl, crypt, feed, program, sample};

/// `crypt` on the folder's files.
fn crypt_files(folder: &Folder, input: &str, output: &str) -> Command {
    let mut command = crypt();
    command.args([folder.path(input), folder.path(output)]);
    command
}

#[test]
fn a_missing_input() {
    let folder = Folder::new(b"");
    folder.assert_fails(&mut crypt_files(&folder, "none", "out"), 1, &["cannot open", "none\"", "No such file"]);
}

#[test]
fn an_input_that_may_not_be_read() {
    let folder = Folder::new(b"secret");
    fs::set_permissions(folder.path("in"), Permissions::from_mode(0o000)).expect("changed");
    // The superuser may read anything: the program runs as nobody, from where nobody may start it.
    fs::copy(env!("CARGO_BIN_EXE_antecede-demo"), folder.path("program")).expect("copied");
    fs::set_permissions(folder.path(""), Permissions::from_mode(0o755)).expect("changed");
    let mut command = Command::new(folder.path("program"));
    if fs::metadata("/proc/self").expect("there").uid() == 0 {
        command.uid(65534).gid(65534);
    }
    command.args(["crypt", "--device", "sim", "--key", KEY, "--nonce", NONCE]);
    command.args([folder.path("in"), folder.path("out")]);
    folder.assert_fails(&mut command, 1, &["cannot open", "in\"", "Permission denied"]);
}

#[test]
fn an_input_that_fails_when_it_is_read() {
    let folder = Folder::new(b"");
    let mut command = crypt();
    command.arg("/proc/self/mem").arg(folder.path("out"));
    folder.assert_fails(&mut command, 1, &["cannot read \"/proc/self/mem\"", "Input/output error"]);
}

#[test]
fn an_input_that_is_a_directory() {
    let folder = Folder::new(b"");
    folder.assert_fails(
        &mut crypt_files(&folder, "", "out"),
        1,
        &["is a directory", &folder.path("").display().to_string()],
    );
}

#[test]
fn keys_and_nonces_that_are_none() {
    let folder = Folder::new(b"text");
    let not_hex = "x".repeat(64);
    for (key, nonce, part) in [
        ("abc", NONCE, "the key must have 64 hexadecimal digits, not 3"),
        ("", NONCE, "the key must have 64 hexadecimal digits, not 0"),
        (&not_hex, NONCE, "the key must have 64 hexadecimal digits: character 1 is none"),
        (KEY, KEY, "the nonce must have 24 hexadecimal digits, not 64"),
        (KEY, "0000000000000000000000 0", "the nonce must have 24 hexadecimal digits: character 23 is none"),
    ] {
        let mut command = program();
        command.args(["crypt", "--device", "sim", "--key", key, "--nonce", nonce]);
        command.args([folder.path("in"), folder.path("out")]);
        folder.assert_fails(&mut command, 2, &[part]);
        if !key.is_empty() {
            let stderr = command.output().expect("starts").stderr;
            assert!(!common::text(&stderr).contains(key), "the key is not printed");
        }
    }
}

#[test]
fn wrong_arguments() {
    let folder = Folder::new(b"text");
    for wrong in [
        ["--chunk", "0"],
        ["--chunk", "4MB"],
        ["--chunk", "2G"],
        ["--counter", "4294967296"],
        ["--counter", "-1"],
        ["--device", "tpu"],
        ["--nothing", "such"],
    ] {
        let output = crypt_files(&folder, "in", "out").args(wrong).output().expect("starts");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert_eq!(folder.names(), ["in"]);
    }
    assert_eq!(program().arg("crypt").output().expect("starts").status.code(), Some(2));
    assert_eq!(program().output().expect("starts").status.code(), Some(2));
}

#[test]
fn a_counter_that_would_begin_again_is_refused_before_anything_is_done() {
    let folder = Folder::new(&sample(65));
    let mut command = program();
    // With `auto` and no GPU, opening the device says so in a line of its own.
    command.args(["crypt", "--key", KEY, "--nonce", NONCE, "--counter", "4294967295"]);
    command.args([folder.path("in"), folder.path("out")]);
    folder.assert_fails(&mut command, 1, &["in\" is too long", "from block counter 4294967295 on", "64 bytes"]);

    fs::write(folder.path("in"), sample(64)).expect("written");
    assert!(command.arg("-q").status().expect("starts").success(), "the last block is there to be used");
    assert_eq!(folder.read("out"), by_openssl(u32::MAX, &sample(64)));
}

#[test]
fn a_counter_that_would_begin_again_in_a_pipe_is_found_on_the_way() {
    let folder = Folder::new(b"");
    let mut command = crypt();
    command.args(["--counter", "4294967000", "--chunk", "64", "-"]).arg(folder.path("out"));
    let output = feed(&mut command, &sample(296 * 64 + 1));
    assert_failure(&output, 1, &["standard input is too long", "from block counter 4294967000 on", "18944 bytes"]);
    assert_eq!(folder.names(), ["in"]);
    let output = feed(&mut command, &sample(296 * 64));
    assert!(output.status.success());
}

#[test]
fn an_output_in_a_folder_that_is_not_there() {
    let folder = Folder::new(b"text");
    folder.assert_fails(
        &mut crypt_files(&folder, "in", "no/out"),
        1,
        &["cannot write", "no/out\"", "there is no folder"],
    );
    folder.assert_fails(&mut crypt_files(&folder, "in", "out/"), 1, &["cannot write", "out/\"", "there is no folder"]);
    folder.assert_fails(&mut crypt_files(&folder, "in", "in/out"), 1, &["cannot write", "in/out\"", "Not a directory"]);
}

#[test]
fn an_output_that_is_a_directory() {
    let folder = Folder::new(b"text");
    fs::create_dir(folder.path("folder")).expect("made");
    folder.assert_fails(&mut crypt_files(&folder, "in", "folder"), 1, &["folder\" is a directory"]);
}

#[test]
fn an_output_that_is_the_input_under_any_name() {
    let folder = Folder::new(b"text");
    symlink("in", folder.path("symbolic")).expect("linked");
    fs::hard_link(folder.path("in"), folder.path("hard")).expect("linked");
    for (input, output) in [("in", "in"), ("in", "symbolic"), ("in", "hard"), ("symbolic", "hard"), ("in", "./in")] {
        let named = format!("{output}\" is the same file as");
        folder.assert_fails(&mut crypt_files(&folder, input, output), 1, &[&named]);
        assert_eq!(folder.read("in"), b"text");
    }
}

#[test]
fn a_full_disk() {
    let folder = Folder::new(&sample(200_000));
    let mut command = crypt();
    command.args(["--chunk", "4k"]).arg(folder.path("in")).arg("/dev/full");
    folder.assert_fails(&mut command, 1, &["cannot write \"/dev/full\"", "No space left on device"]);
}

/// A limit on the size of files, as a full disk is a limit: in the middle of a regular file.
#[test]
fn an_output_that_cannot_grow_leaves_the_old_one_alone() {
    let folder = Folder::new(&sample(1_000_000));
    fs::write(folder.path("out"), "old").expect("written");
    let script = format!(
        "ulimit -f 100; exec {} crypt --device sim --chunk 16k --key {KEY} --nonce {NONCE} \"$0\" \"$1\"",
        env!("CARGO_BIN_EXE_antecede-demo")
    );
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).args([folder.path("in"), folder.path("out")]);
    folder.assert_fails(&mut shell, 1, &["cannot write", "out\"", "File too large"]);
    assert_eq!(folder.read("out"), b"old");
}

#[test]
fn a_reader_that_goes_away() {
    let mut command = crypt();
    command.args(["--chunk", "4k", "-", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("starts");
    drop(child.stdout.take());
    // It stops reading at some point.
    let _ = child.stdin.take().expect("piped").write_all(&sample(1 << 20));
    let output = child.wait_with_output().expect("ends");
    assert_failure(&output, 1, &["cannot write standard output", "Broken pipe"]);
}

#[test]
fn names_of_any_kind_stay_on_one_line() {
    let folder = Folder::new(b"");
    folder.assert_fails(&mut crypt_files(&folder, "two\nlines", "out"), 1, &["two\\nlines"]);
}

#[cfg(not(feature = "cuda"))]
#[test]
fn a_gpu_without_the_driver_for_it() {
    let folder = Folder::new(b"text");
    let mut command = program();
    command.args(["crypt", "--device", "cuda", "--key", KEY, "--nonce", NONCE]);
    command.args([folder.path("in"), folder.path("out")]);
    folder.assert_fails(&mut command, 1, &["built without CUDA", "--features cuda"]);
}

#[cfg(not(feature = "cuda"))]
#[test]
fn auto_says_that_it_runs_on_the_simulator() {
    let folder = Folder::new(b"text");
    let mut command = program();
    command.args(["crypt", "--key", KEY, "--nonce", NONCE]).args([folder.path("in"), folder.path("out")]);
    let said = common::text(&command.output().expect("starts").stderr);
    assert!(said.starts_with("ran on the simulator: ") && said.contains("(sim, "), "{said}");
    assert!(command.arg("--quiet").output().expect("starts").stderr.is_empty());
}
