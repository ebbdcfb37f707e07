//! Python at the other end of a connection.

use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use antecede_ipc::link::{Link, pair};

use super::text;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../antecede-ipc/examples/python");

/// What each peer begins with.
const BEGIN: &str = r#"
import os, socket, struct, sys
import antecede_wire as wire
from antecede_wire import frame
sock = socket.socket(fileno=os.dup(0))
DEVICE = b"0123456789abcdef"
def refused(call, code):
    try:
        call()
    except wire.Refused as refusal:
        assert refusal.code == code, refusal
    else:
        raise SystemExit("was let in")
"#;

/// A process that runs `code`, with a connection to this one.
pub struct Python(pub Child);

impl Python {
    pub fn start(code: &str) -> (Self, OwnedFd) {
        let (here, there) = pair().expect("a pair");
        let mut command = Command::new("python3");
        command.args(["-c", &format!("{BEGIN}{code}")]).env("PYTHONPATH", FOLDER).env("PYTHONDONTWRITEBYTECODE", "1");
        command.stdin(there.into_fd()).stdout(Stdio::null()).stderr(Stdio::piped());
        (Python(command.spawn().expect("python3 starts")), here.into_fd())
    }

    pub fn linked(code: &str) -> (Self, Link) {
        let (python, socket) = Python::start(code);
        (python, Link::from_fd(socket).expect("a connection"))
    }

    /// Its assertions held.
    #[track_caller]
    pub fn finish(self) {
        let output = self.0.wait_with_output().expect("ends");
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}
