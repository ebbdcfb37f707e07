//! Two processes with a socket between them, within a time limit.

use std::env;
use std::fs::File;
use std::io::{IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open, set_parent_process_death_signal};

/// Says to a process which part it has; unset in the test itself.
const ROLE: &str = "ANTECEDE_TEST_ROLE";
/// A test's processes are killed after this.
const LIMIT: Duration = Duration::from_secs(25);
/// A process that waits this long for the other one gives up.
const PATIENCE: Duration = Duration::from_secs(15);

/// Prints a finding of a run on hardware.
macro_rules! measured {
    ($($text:tt)*) => { println!("\nmeasured: {}", format_args!($($text)*)) };
}

/// Declares a test that runs two functions in a process each, and wants both to end well.
macro_rules! between_processes {
    ($name:ident, $exporter:expr, $importer:expr) => {
        #[test]
        #[ignore = "needs a GPU"]
        fn $name() {
            let test = concat!(module_path!(), "::", stringify!($name));
            let ends = $crate::pair::run(test, $exporter, $importer);
            ends.iter().flatten().for_each($crate::pair::End::assert_well);
        }
    };
}

/// How one process ended.
pub(crate) struct End {
    role: &'static str,
    /// `None` if it was killed at the limit.
    pub(crate) status: Option<ExitStatus>,
    output: String,
}

impl End {
    pub(crate) fn assert_well(&self) {
        let what = if self.status.is_none() { "did not end in time" } else { "did not end well" };
        assert!(self.status.is_some_and(|status| status.success()), "the {} {what}:\n{}", self.role, self.output);
    }

    pub(crate) fn assert_killed(&self) {
        let signal = self.status.and_then(|status| status.signal());
        assert_eq!(signal, Some(Signal::KILL.as_raw()), "the {} ends itself in time:\n{}", self.role, self.output);
    }

    /// It may have ended in any way, but has printed this finding before.
    pub(crate) fn assert_found(&self, finding: &str) {
        let found = self.findings().any(|line| line.contains(finding));
        assert!(found, "no `{finding}` of the {}, which ended: {:?}\n{}", self.role, self.status, self.output);
    }

    /// The findings that it printed.
    fn findings(&self) -> impl Iterator<Item = &str> {
        self.output.lines().filter(|line| line.starts_with("measured: "))
    }
}

/// Runs the two functions, each in a process of its own, and shows what they have measured. `test` is the path of the
/// calling test, which each process comes through again: there, this runs its part and returns `None`.
pub(crate) fn run(test: &str, exporter: fn(Link), importer: fn(Link)) -> Option<[End; 2]> {
    run_within(LIMIT, test, exporter, importer)
}

fn run_within(limit: Duration, test: &str, exporter: fn(Link), importer: fn(Link)) -> Option<[End; 2]> {
    match env::var(ROLE).as_deref() {
        Ok("exporter") => exporter(Link::of_this_process()),
        Ok("importer") => importer(Link::of_this_process()),
        _ => return Some(start(limit, test)),
    }
    None
}

fn start(limit: Duration, test: &str) -> [End; 2] {
    let deadline = Instant::now() + limit;
    let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
    let (_, name) = test.split_once("::").expect("a path within this program");
    let [exporter, importer] = [("exporter", ours), ("importer", theirs)].map(|(role, socket)| {
        let program = env::current_exe().expect("this program");
        let mut command = Command::new(program);
        command.args(["--exact", name, "--include-ignored", "--nocapture", "--test-threads=1"]);
        command.env(ROLE, role).env("RUST_BACKTRACE", "0").stdin(OwnedFd::from(socket));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
        Running { role, child }
    });
    // Both are waited for before either is asked: a failing assertion leaves none behind.
    let ends = [exporter.end(deadline), importer.end(deadline)];
    ends.iter().flat_map(End::findings).for_each(|finding| println!("\n{finding}"));
    ends
}

/// A process of a test. Dropped, it is killed.
struct Running {
    role: &'static str,
    child: Child,
}

impl Running {
    fn end(mut self, deadline: Instant) -> End {
        let status = self.await_end(deadline.saturating_duration_since(Instant::now()));
        let mut output = Vec::new();
        self.child.stdout.take().into_iter().for_each(|pipe| what_is_there(pipe.into(), &mut output));
        self.child.stderr.take().into_iter().for_each(|pipe| what_is_there(pipe.into(), &mut output));
        // What the test harness says there is not to be taken for this process's.
        let lines = String::from_utf8_lossy(&output);
        let of_harness = |line: &&str| line.is_empty() || line.starts_with("test ") || line.starts_with("running ");
        let said: Vec<_> = lines.lines().filter(|line| !of_harness(line)).collect();
        End { role: self.role, status, output: said.join("\n") }
    }

    fn await_end(&mut self, limit: Duration) -> Option<ExitStatus> {
        let process = pidfd_open(Pid::from_child(&self.child), PidfdFlags::empty()).expect("it is not waited for yet");
        let limit = limit.try_into().expect("a time");
        poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&limit)).expect("ends, or does not");
        self.child.try_wait().expect("its status")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            // In the driver's hands, it may take its time: it is not waited for without a limit.
            self.await_end(Duration::from_secs(2));
        }
    }
}

/// Adds what lies in a pipe now. A killed process that the driver still holds keeps its pipes open: their end is not
/// waited for.
fn what_is_there(pipe: OwnedFd, output: &mut Vec<u8>) {
    rustix::io::ioctl_fionbio(&pipe, true).expect("a pipe that does not wait");
    let mut chunk = [0; 1 << 16];
    let mut pipe = File::from(pipe);
    while let Ok(bytes @ 1..) = pipe.read(&mut chunk) {
        output.extend_from_slice(&chunk[..bytes]);
    }
}

/// One end of the socket between the two processes.
pub(crate) struct Link(UnixStream);

impl Link {
    /// The socket is the process's standard input. The process ends when the test does.
    fn of_this_process() -> Link {
        set_parent_process_death_signal(Some(Signal::KILL)).expect("ends with the test");
        let socket = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned().expect("a socket"));
        socket.set_read_timeout(Some(PATIENCE)).expect("a socket");
        Link(socket)
    }

    pub(crate) fn send<const N: usize>(&mut self, bytes: [u8; N]) {
        self.0.write_all(&bytes).expect("the other process takes it");
    }

    pub(crate) fn receive<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).expect("the other process sends it");
        bytes
    }

    /// Tells the other process that this one has come to a point.
    pub(crate) fn signal(&mut self) {
        self.send(*b"!");
    }

    /// Waits for the other process's `signal`.
    pub(crate) fn await_signal(&mut self) {
        assert_eq!(self.receive(), *b"!");
    }

    pub(crate) fn send_descriptor(&mut self, descriptor: OwnedFd) {
        let descriptors = [descriptor.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        assert!(control.push(SendAncillaryMessage::ScmRights(&descriptors)));
        let sent = rustix::net::sendmsg(&self.0, &[IoSlice::new(b"d")], &mut control, SendFlags::NOSIGNAL);
        assert_eq!(sent, Ok(1));
    }

    pub(crate) fn receive_descriptor(&mut self) -> OwnedFd {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        let flags = RecvFlags::CMSG_CLOEXEC;
        let received = rustix::net::recvmsg(&self.0, &mut [IoSliceMut::new(&mut byte)], &mut control, flags);
        assert_eq!((received.map(|message| message.bytes), byte), (Ok(1), *b"d"));
        let descriptors = control.drain().filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        });
        descriptors.flatten().next().expect("a descriptor")
    }

    /// Returns once the other process is gone, and how long that took.
    pub(crate) fn await_end(&mut self) -> Duration {
        let start = Instant::now();
        let mut byte = [0];
        assert!(!matches!(self.0.read(&mut byte), Ok(1..)), "the other process says no more");
        start.elapsed()
    }
}

/// Ends this process as a crash would: nothing is cleaned up.
pub(crate) fn kill_this_process() -> ! {
    kill_process(getpid(), Signal::KILL).expect("a signal to oneself");
    unreachable!("the signal cannot be caught")
}

#[test]
fn two_processes_pass_bytes_and_a_descriptor() {
    fn exporter(mut link: Link) {
        let (mut reader, writer) = UnixStream::pair().expect("a pair of sockets");
        link.send([1, 2, 3]);
        link.send_descriptor(writer.into());
        link.await_signal();
        let mut text = [0; 5];
        reader.read_exact(&mut text).expect("five bytes");
        assert_eq!(&text, b"hello");
        link.signal();
    }
    fn importer(mut link: Link) {
        assert_eq!(link.receive(), [1, 2, 3]);
        UnixStream::from(link.receive_descriptor()).write_all(b"hello").expect("five bytes");
        link.signal();
        link.await_signal();
        link.await_end();
        measured!("passed");
    }
    let test = concat!(module_path!(), "::two_processes_pass_bytes_and_a_descriptor");
    for end in run(test, exporter, importer).iter().flatten() {
        end.assert_well();
        let expected: &[&str] = if end.role == "importer" { &["measured: passed"] } else { &[] };
        assert_eq!(end.findings().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_process_that_crashes_or_hangs_is_told_of() {
    fn exporter(_: Link) {
        measured!("about to end");
        kill_this_process()
    }
    fn importer(mut link: Link) {
        link.await_end();
        measured!("about to hang");
        loop {
            thread::park();
        }
    }
    let test = concat!(module_path!(), "::a_process_that_crashes_or_hangs_is_told_of");
    let Some([exporter, importer]) = run_within(Duration::from_secs(2), test, exporter, importer) else { return };
    exporter.assert_killed();
    assert_eq!(exporter.findings().collect::<Vec<_>>(), ["measured: about to end"]);
    assert!(importer.status.is_none());
    assert_eq!(importer.findings().collect::<Vec<_>>(), ["measured: about to hang"]);
}
