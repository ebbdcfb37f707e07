//! A path where peers connect.

use super::error::os;
use super::path::{Pause, address, open};
use super::{Awaited, Deadline, Link, LinkError, random};
use rustix::event::PollFlags;
use rustix::fs::{FlockOperation, Mode, OFlags, chmod, fchmod, flock};
use rustix::io::Errno;
use rustix::net::{SocketFlags, accept_with, bind, connect as connect_socket, listen};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

/// How many peers may wait to be accepted.
const BACKLOG: i32 = 64;
/// How often a socket is looked at that others put there and take away.
const ATTEMPTS: usize = 16;
/// Bytes of the name of a socket that is not yet in its place: `.` and 8 digits.
const ASIDE: usize = 9;

/// A path where peers connect. The path is removed when it is dropped, by the process that made it.
#[derive(Debug)]
pub struct Listener {
    socket: OwnedFd,
    path: PathBuf,
    /// Device and inode of the path.
    identity: (u64, u64),
    /// The process that made it.
    owner: u32,
}

impl Listener {
    /// Listens at `path`, for this user alone. A socket there that nobody listens at is replaced.
    ///
    /// To find out, it is connected to: a listener may see a connection that ends at once.
    ///
    /// # Errors
    /// [`LinkError::AddrInUse`] if somebody listens there; [`LinkError::NotOurSocket`] if anything else is there;
    /// [`LinkError::PathTooLong`].
    pub fn bind(path: &Path) -> Result<Self, LinkError> {
        let file_name = path.file_name().map_or(0, |name| name.len());
        let bytes = path.as_os_str().len();
        address(path, bytes.max(bytes - file_name + ASIDE))?;
        if file_name == 0 {
            return Err(LinkError::NotOurSocket { path: path.to_owned(), found: "a directory" });
        }
        let socket = open()?;
        // It listens before it gets its name, so that nobody takes it for one that nobody listens at.
        let aside = bind_aside(&socket, path)?;
        let listening = listen_for_this_user(&socket, &aside).and_then(|()| publish(&aside, path));
        let _gone_or_harmless = fs::remove_file(&aside);
        let identity = listening?;
        Ok(Self { socket, path: path.to_owned(), identity, owner: process::id() })
    }

    /// Where it listens.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next peer that connects.
    ///
    /// # Errors
    /// [`LinkError::TimedOut`] if none does; [`LinkError::Forked`] in a child.
    pub fn accept(&self, deadline: Deadline) -> Result<Link, LinkError> {
        match process::id() {
            found if found == self.owner => {}
            found => return Err(LinkError::Forked { expected: self.owner, found }),
        }
        loop {
            let last = deadline.has_passed();
            match accept_with(&self.socket, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK) {
                Ok(socket) => return Link::connected(socket),
                Err(Errno::INTR | Errno::CONNABORTED) if !last => {}
                Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => {
                    match deadline.wait(self.socket.as_fd(), PollFlags::IN).map_err(os("poll"))? {
                        true if !last => {}
                        _ => return Err(LinkError::TimedOut { awaited: Awaited::Connection }),
                    }
                }
                Err(errno) => return Err(os("accept")(errno)),
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if self.owner == process::id() && identity(&self.path).is_ok_and(|found| found == Some(self.identity)) {
            let _gone = fs::remove_file(&self.path);
        }
    }
}

/// Binds the socket to a name beside `path` that nothing else has.
fn bind_aside(socket: &OwnedFd, path: &Path) -> Result<PathBuf, LinkError> {
    // The file gets the socket's mode.
    fchmod(socket, Mode::RUSR | Mode::WUSR).map_err(os("fchmod"))?;
    for _ in 0..ATTEMPTS {
        let aside = beside(path)?;
        match bind(socket, &address(&aside, aside.as_os_str().len())?) {
            Ok(()) => return Ok(aside),
            Err(Errno::ADDRINUSE) => {}
            Err(errno) => return Err(os("bind")(errno)),
        }
    }
    Err(os("bind")(Errno::ADDRINUSE))
}

fn listen_for_this_user(socket: &OwnedFd, aside: &Path) -> Result<(), LinkError> {
    // Should the mask of the process have taken bits away.
    chmod(aside, Mode::RUSR | Mode::WUSR).map_err(os("chmod"))?;
    listen(socket, BACKLOG).map_err(os("listen"))
}

/// Gives the socket at `aside` its name. Returns its identity.
fn publish(aside: &Path, path: &Path) -> Result<(u64, u64), LinkError> {
    for _ in 0..ATTEMPTS {
        match fs::hard_link(aside, path) {
            Ok(()) => return identity(aside).map_err(failed("lstat"))?.ok_or(os("lstat")(Errno::NOENT)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => clear(path)?,
            Err(error) => return Err(failed("link")(error)),
        }
    }
    Err(LinkError::AddrInUse { path: path.to_owned() })
}

/// Makes room at `path` if there is a socket of this user's that nobody listens at.
fn clear(path: &Path) -> Result<(), LinkError> {
    // Nothing is published over what is there, and whoever removes it holds the lock: what is removed is what was looked
    // at, and not the socket of another that has just done the same.
    let _lock = Lock::of_directory(path)?;
    if !is_abandoned(path)? {
        return Err(LinkError::AddrInUse { path: path.to_owned() });
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed("unlink")(error)),
        _ => Ok(()),
    }
}

/// Whether there is nothing at `path`, or a socket of this user's that nobody listens at.
fn is_abandoned(path: &Path) -> Result<bool, LinkError> {
    let not_ours = |found| LinkError::NotOurSocket { path: path.to_owned(), found };
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(failed("lstat")(error)),
    };
    if !metadata.file_type().is_socket() {
        return Err(not_ours("it is not a socket"));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(not_ours("it is another user's socket"));
    }
    match connect_socket(&open()?, &address(path, path.as_os_str().len())?) {
        Err(Errno::CONNREFUSED | Errno::NOENT) => Ok(true),
        // Connected, or as many wait as may, or a listener of another type, or who knows: it is in use.
        _ => Ok(false),
    }
}

/// The lock on a directory, under which sockets are removed from it that nobody listens at.
struct Lock(OwnedFd);

impl Lock {
    /// For as long as others may hold it: they connect to a socket, and unlink it.
    const PATIENCE: Duration = Duration::from_secs(2);

    fn of_directory(path: &Path) -> Result<Self, LinkError> {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = rustix::fs::open(directory, flags, Mode::empty()).map_err(os("open"))?;
        let mut pause = Pause::new(Deadline::after(Self::PATIENCE));
        loop {
            match flock(&directory, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Self(directory)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) if pause.wait() => {}
                Err(errno) => return Err(os("flock")(errno)),
            }
        }
    }
}

impl Drop for Lock {
    /// For all descriptors of it: a child that is just being started has one too.
    fn drop(&mut self) {
        let _never = flock(&self.0, FlockOperation::Unlock);
    }
}

/// A name in the same directory that is not likely to be another's.
fn beside(path: &Path) -> Result<PathBuf, LinkError> {
    Ok(path.with_file_name(format!(".{:08x}", random()? as u32)))
}

fn identity(path: &Path) -> io::Result<Option<(u64, u64)>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some((metadata.dev(), metadata.ino()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn failed(call: &'static str) -> impl Fn(io::Error) -> LinkError {
    move |error| os(call)(Errno::from_io_error(&error).unwrap_or(Errno::IO))
}

#[cfg(test)]
mod tests {
    use super::{LinkError, Listener, Lock, clear};
    use rustix::io::Errno;

    #[test]
    fn a_socket_is_removed_under_the_lock_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("socket");
        let socket = crate::link::path::open().expect("a socket");
        rustix::net::bind(&socket, &rustix::net::SocketAddrUnix::new(&path).expect("short")).expect("bound");
        let lock = Lock::of_directory(&path).expect("nobody else has it");
        let waited = LinkError::Os { call: "flock", errno: Errno::AGAIN };
        assert_eq!(clear(&path), Err(waited));
        assert!(path.exists());
        drop(lock);
        assert_eq!(clear(&path), Ok(()));
        assert!(!path.exists());
    }

    #[test]
    fn a_listener_that_came_in_between_stays_where_it_is() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("socket");
        let _listener = Listener::bind(&path).expect("bound");
        assert_eq!(clear(&path), Err(LinkError::AddrInUse { path: path.clone() }));
        assert!(path.exists());
    }
}
