//! A path where peers connect.

use super::error::os;
use super::path::{address, open};
use super::{Awaited, Deadline, Link, LinkError, random};
use rustix::event::PollFlags;
use rustix::fs::{CWD, Mode, RenameFlags, chmod, fchmod, renameat_with};
use rustix::io::Errno;
use rustix::net::{SocketFlags, accept_with, bind, connect as connect_socket, listen};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process;

/// How many peers may wait to be accepted.
const BACKLOG: i32 = 64;
/// How often a socket is looked at that others put there and take away.
const ATTEMPTS: usize = 16;
/// Bytes of the name of a socket that is not yet, or no longer, in its place: `.` and 8 digits.
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
    if !is_abandoned(path, path)? {
        return Err(LinkError::AddrInUse { path: path.to_owned() });
    }
    remove_abandoned(path)
}

/// By now another process may have made room too, and listen there: what is there is moved first, which one process alone
/// can do, and looked at again.
fn remove_abandoned(path: &Path) -> Result<(), LinkError> {
    let aside = beside(path)?;
    match fs::rename(path, &aside) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed("rename")(error)),
    }
    let abandoned = is_abandoned(&aside, path);
    if matches!(abandoned, Ok(true)) {
        let _gone = fs::remove_file(&aside);
        return Ok(());
    }
    // Back with it, unless yet another has come, which then has the path.
    let _taken = renameat_with(CWD, &aside, CWD, path, RenameFlags::NOREPLACE);
    abandoned.and(Err(LinkError::AddrInUse { path: path.to_owned() }))
}

/// Whether there is nothing at `at`, or a socket of this user's that nobody listens at. Errors name `path`.
fn is_abandoned(at: &Path, path: &Path) -> Result<bool, LinkError> {
    let not_ours = |found| LinkError::NotOurSocket { path: path.to_owned(), found };
    let metadata = match fs::symlink_metadata(at) {
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
    match connect_socket(&open()?, &address(at, at.as_os_str().len())?) {
        Err(Errno::CONNREFUSED | Errno::NOENT) => Ok(true),
        // Connected, or as many wait as may, or a listener of another type, or who knows: it is in use.
        _ => Ok(false),
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
    use super::{Deadline, LinkError, Listener, remove_abandoned};
    use crate::link::connect;
    use std::fs;

    #[test]
    fn a_listener_that_came_in_between_stays_where_it_is() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("socket");
        let listener = Listener::bind(&path).expect("bound");
        assert_eq!(remove_abandoned(&path), Err(LinkError::AddrInUse { path: path.clone() }));
        connect(&path, Deadline::now()).expect("it still listens there");
        drop(listener);
        assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 0);
        assert_eq!(remove_abandoned(&path), Ok(()));
    }

    #[test]
    fn what_came_in_between_and_is_no_socket_stays_where_it_is() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("socket");
        fs::create_dir(&path).expect("created");
        fs::write(path.join("precious"), "precious").expect("written");
        assert!(matches!(remove_abandoned(&path), Err(LinkError::NotOurSocket { .. })));
        assert_eq!(fs::read_to_string(path.join("precious")).expect("it is there"), "precious");
    }
}
