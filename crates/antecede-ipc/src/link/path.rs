//! A connection by a path.

use super::error::os;
use super::{Awaited, Deadline, Link, LinkError, MAX_PATH};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect as connect_socket, socket_with, sockopt,
};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Connects to a [`Listener`](super::Listener).
///
/// # Errors
/// [`LinkError::NoListener`] at once if there is none; [`LinkError::TimedOut`] if it does not accept and as many as it
/// has room for wait before this one; [`LinkError::PathTooLong`].
pub fn connect(path: &Path, deadline: Deadline) -> Result<Link, LinkError> {
    let address = address(path, path.as_os_str().len())?;
    let mut pause = Pause::new(deadline);
    loop {
        let socket = open()?;
        match connect_socket(&socket, &address) {
            Ok(()) => return Link::connected(socket),
            Err(Errno::INTR) => {}
            // There is nothing to poll for: a Unix socket is connected at once or not at all.
            Err(Errno::AGAIN) if pause.wait() => {}
            Err(Errno::AGAIN) => return Err(LinkError::TimedOut { awaited: Awaited::Listener }),
            Err(Errno::NOENT | Errno::CONNREFUSED) => return Err(LinkError::NoListener { path: path.to_owned() }),
            Err(Errno::PROTOTYPE) => {
                return Err(LinkError::NotOurSocket { path: path.to_owned(), found: "a Unix socket of another type" });
            }
            Err(errno) => return Err(os("connect")(errno)),
        }
    }
}

/// Connects to a [`Listener`](super::Listener) that may have yet to come: asks again and again until the deadline.
///
/// # Errors
/// As [`connect`]; [`LinkError::NoListener`] when the deadline has passed.
pub fn connect_when_ready(path: &Path, deadline: Deadline) -> Result<Link, LinkError> {
    let mut pause = Pause::new(deadline);
    loop {
        match connect(path, deadline) {
            Err(LinkError::NoListener { .. }) if pause.wait() => {}
            result => return result,
        }
    }
}

/// A socket that is not connected, and names its peers.
pub(super) fn open() -> Result<OwnedFd, LinkError> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None).map_err(os("socket"))?;
    // Before there is a peer, so that its first message is named too.
    sockopt::set_socket_passcred(&socket, true).map_err(os("setsockopt(SO_PASSCRED)"))?;
    Ok(socket)
}

/// `longest` is the length of the longest path that must be possible in the place of this one.
pub(super) fn address(path: &Path, longest: usize) -> Result<SocketAddrUnix, LinkError> {
    let found = path.as_os_str().len();
    if longest > MAX_PATH {
        let expected = MAX_PATH - (longest - found);
        return Err(LinkError::PathTooLong { path: path.to_owned(), expected, found });
    }
    // An empty path would mean an address without a name.
    if found == 0 || path.as_os_str().as_bytes().contains(&0) {
        return Err(LinkError::NotOurSocket { path: path.to_owned(), found: "no path (empty, or with a zero byte)" });
    }
    SocketAddrUnix::new(path).map_err(os("sockaddr_un"))
}

/// Longer and longer pauses, up to a deadline.
pub(super) struct Pause {
    deadline: Deadline,
    next: Duration,
}

impl Pause {
    const FIRST: Duration = Duration::from_micros(200);
    const LONGEST: Duration = Duration::from_millis(20);

    pub(super) fn new(deadline: Deadline) -> Self {
        Self { deadline, next: Self::FIRST }
    }

    /// `false` if the deadline has passed.
    pub(super) fn wait(&mut self) -> bool {
        let left = self.deadline.left();
        if left.is_zero() {
            return false;
        }
        thread::sleep(self.next.min(left));
        self.next = (self.next * 2).min(Self::LONGEST);
        true
    }
}
