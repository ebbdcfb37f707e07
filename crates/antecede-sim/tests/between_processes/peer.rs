//! A test in two processes, with a socket between them.

use std::env;
use std::io::{IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

const ROLE: &str = "ANTECEDE_SIM_TEST_ROLE";

/// What the child says last: that it exits with success would also be true if it had found no test of that name.
const RECEIPT: u8 = 0xa5;

/// The other process.
#[derive(Debug)]
pub(crate) struct Peer(UnixStream);

/// The other process, for the one that started it.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) peer: Peer,
    child: Child,
}

/// Runs `child` in a process of its own and `parent` here. `test` is the name of the calling test: its binary is run again
/// for it alone.
pub(crate) fn in_two_processes(test: &str, child: impl FnOnce(&Peer), parent: impl FnOnce(&mut Started)) {
    match env::var(ROLE) {
        Ok(role) => {
            assert_eq!(role, test, "this process was started for another test");
            let socket = std::io::stdin().as_fd().try_clone_to_owned().unwrap();
            let peer = Peer(socket.into());
            child(&peer);
            peer.tell(RECEIPT);
        }
        Err(_) => {
            let mut started = Started::new(test);
            parent(&mut started);
            started.finish();
        }
    }
}

impl Started {
    fn new(test: &str) -> Self {
        let (here, there) = UnixStream::pair().unwrap();
        let mut command = Command::new(env::current_exe().unwrap());
        command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(ROLE, test);
        let child = command.stdin(OwnedFd::from(there)).stdout(Stdio::null()).spawn().unwrap();
        Started { peer: Peer(here), child }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Stops all threads of the process; returns when they have.
    pub(crate) fn stop(&self) {
        self.signal(Signal::STOP);
        let stopped = waitpid(Some(Pid::from_child(&self.child)), WaitOptions::UNTRACED).unwrap();
        assert!(stopped.expect("the child is there").1.stopped());
    }

    pub(crate) fn ended(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// A child that was not killed on purpose must have run to its end. It gets there when it is told nothing more.
    fn finish(&mut self) {
        use std::os::unix::process::ExitStatusExt;
        let _closed = self.peer.0.shutdown(std::net::Shutdown::Write);
        let mut rest = Vec::new();
        let _reset = (&self.peer.0).read_to_end(&mut rest);
        let status = self.ended();
        if status.signal() != Some(Signal::KILL.as_raw()) {
            assert!(status.success(), "the other process: {status}");
            assert_eq!(rest.last(), Some(&RECEIPT), "the other process did not run the test");
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

impl Peer {
    pub(crate) fn send(&self, bytes: &[u8]) {
        (&self.0).write_all(bytes).unwrap();
    }

    pub(crate) fn receive<const LEN: usize>(&self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        (&self.0).read_exact(&mut bytes).unwrap();
        bytes
    }

    pub(crate) fn tell(&self, byte: u8) {
        self.send(&[byte]);
    }

    pub(crate) fn hear(&self) -> u8 {
        self.receive::<1>()[0]
    }

    /// Waits until the other process has closed its side.
    pub(crate) fn wait_for_the_end(&self) {
        assert_eq!((&self.0).read(&mut [0; 1]).unwrap(), 0);
    }

    pub(crate) fn send_descriptor(&self, descriptor: &OwnedFd) {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut message = SendAncillaryBuffer::new(&mut space);
        let descriptors = [descriptor.as_fd()];
        assert!(message.push(SendAncillaryMessage::ScmRights(&descriptors)));
        sendmsg(&self.0, &[IoSlice::new(&[0])], &mut message, SendFlags::empty()).unwrap();
    }

    pub(crate) fn receive_descriptor(&self) -> OwnedFd {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut message = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        recvmsg(&self.0, &mut [IoSliceMut::new(&mut byte)], &mut message, RecvFlags::CMSG_CLOEXEC).unwrap();
        let mut descriptors = message.drain().filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        });
        descriptors.next().and_then(|mut descriptors| descriptors.next()).expect("a descriptor came along")
    }
}
