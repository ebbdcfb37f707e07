//! Running the program, and other implementations to compare it with.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

pub mod python;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use tempfile::TempDir;

pub const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
pub const NONCE: &str = "000000090000004a00000000";

/// Bytes without a short period.
pub fn sample(len: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// The same cipher by crate `chacha20`.
pub fn by_crate(counter: u32, plain: &[u8]) -> Vec<u8> {
    let mut key = [0; 32];
    let mut nonce = [0; 12];
    hex::decode_to_slice(KEY, &mut key).expect("hex");
    hex::decode_to_slice(NONCE, &mut nonce).expect("hex");
    let mut cipher = ChaCha20::new(&key.into(), &nonce.into());
    cipher.seek(u64::from(counter) * 64);
    let mut out = plain.to_vec();
    cipher.apply_keystream(&mut out);
    out
}

/// The same cipher by `openssl`, which must be installed.
pub fn by_openssl(counter: u32, plain: &[u8]) -> Vec<u8> {
    let iv = format!("{}{NONCE}", hex::encode(counter.to_le_bytes()));
    let mut command = Command::new("openssl");
    command.args(["enc", "-chacha20", "-K", KEY, "-iv", &iv]);
    let output = feed(&mut command, plain);
    assert!(output.status.success(), "openssl: {}", text(&output.stderr));
    output.stdout
}

/// `antecede-demo crypt` on the simulator, with key and nonce.
pub fn crypt() -> Command {
    let mut command = program();
    command.args(["crypt", "--device", "sim", "--key", KEY, "--nonce", NONCE]);
    command
}

pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_antecede-demo"))
}

/// Runs a command with `input` as its standard input.
pub fn feed(command: &mut Command, input: &[u8]) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let name = piped.get_program().to_owned();
    let mut child = piped.spawn().unwrap_or_else(|error| panic!("{name:?} must be installed for this test: {error}"));
    let mut stdin = child.stdin.take().expect("piped");
    thread::scope(|scope| {
        // A program that stops reading is the test's business, not this thread's.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the program ends")
    })
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with one input file.
pub struct Folder {
    dir: TempDir,
}

impl Folder {
    pub fn new(input: &[u8]) -> Self {
        let dir = TempDir::new().expect("a folder");
        fs::write(dir.path().join("in"), input).expect("written");
        Folder { dir }
    }

    pub fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.dir.path().join(Path::new(name.as_ref()))
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("readable")
    }

    /// The names of everything in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path()).expect("a folder");
        let mut names: Vec<_> =
            entries.map(|entry| text(entry.expect("an entry").file_name().as_encoded_bytes())).collect();
        names.sort();
        names
    }

    /// Asserts that `command` fails with this exit code and one line on standard error that has all of `parts`, and
    /// leaves nothing behind.
    #[track_caller]
    pub fn assert_fails(&self, command: &mut Command, code: i32, parts: &[&str]) {
        let before = self.names();
        let output = command.stdin(Stdio::null()).output().expect("the program starts");
        assert_failure(&output, code, parts);
        assert_eq!(self.names(), before, "nothing is left behind");
    }
}

#[track_caller]
pub fn assert_failure(output: &Output, code: i32, parts: &[&str]) {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "one line: {stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{part:?} in {stderr}");
    }
}
