//! Two processes of one test.

use antecede_ipc::link::{Link, pair};
use std::any::type_name_of_val;
use std::env;
use std::io::stdin;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, ExitStatus, Stdio};

/// Which test the process is the child of.
const ROLE: &str = "ANTECEDE_IPC_TEST_CHILD";

/// A test of two processes. The test's binary is run again for the child, which finds its end of a connection as its
/// standard input.
#[must_use]
pub(crate) struct TwoProcesses {
    test: String,
}

/// A child that is killed if the test forgets it.
pub(crate) struct Running(Child);

impl TwoProcesses {
    /// By the type name of an item in the test function.
    pub(crate) fn named<T>(place: &T) -> Self {
        let path = type_name_of_val(place);
        let path = path.strip_suffix("::here").expect("an item named `here`");
        let (_binary, test) = path.split_once("::").expect("a path");
        Self { test: test.to_owned() }
    }

    /// In the child process, runs `child` and exits; in the test's own process, returns.
    pub(crate) fn child(self, child: impl FnOnce(Link)) -> Self {
        match env::var(ROLE) {
            Ok(role) if role == self.test => {
                let end = stdin().as_fd().try_clone_to_owned().expect("an end of a connection");
                child(Link::from_fd(end).expect("an end of a connection"));
                std::process::exit(0);
            }
            Ok(role) => panic!("this process was started for the test `{role}`, not for `{}`", self.test),
            Err(_) => self,
        }
    }

    /// Starts the child. Returns this process's end.
    pub(crate) fn start(&self) -> (Link, Running) {
        let (here, there) = pair().expect("a pair");
        (here, self.start_with(there.into_fd()))
    }

    /// Starts the child with that end.
    pub(crate) fn start_with(&self, end: OwnedFd) -> Running {
        let mut command = Command::new(env::current_exe().expect("the test's binary is known"));
        command.args([&self.test, "--exact", "--nocapture", "--test-threads=1"]).env(ROLE, &self.test);
        command.stdin(Stdio::from(end)).stdout(Stdio::null());
        Running(command.spawn().expect("the test's binary runs again"))
    }
}

impl Running {
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits for its end, which must be a success.
    #[track_caller]
    pub(crate) fn finish(mut self) {
        let status = self.0.wait().expect("a child");
        assert!(status.success(), "the child failed: {status}");
    }

    /// Ends it by `SIGKILL`.
    pub(crate) fn kill(mut self) {
        self.0.kill().expect("a child");
        self.0.wait().expect("a child");
    }

    /// Waits for its end, which may be any.
    pub(crate) fn wait(mut self) -> ExitStatus {
        self.0.wait().expect("a child")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

/// Ends this process as `kill -9` does.
pub(crate) fn die() -> ! {
    let signal = rustix::process::Signal::KILL;
    rustix::process::kill_process(rustix::process::getpid(), signal).expect("a signal to oneself");
    unreachable!("the signal ends the process")
}

/// How many descriptors this process has open. Only in a child are they no other test's.
pub(crate) fn open_descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("procfs").count()
}
