//! The process at the other end.

use super::error::os;
use super::{Deadline, Link, LinkError};
use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::os::fd::{AsFd, OwnedFd};

/// The process at the other end, as the kernel named it. Tells of its end, which that of the connection does not.
#[derive(Debug)]
pub struct Peer {
    pid: u32,
    /// Refers to that process for ever, also when its id is another's.
    process: OwnedFd,
}

impl Peer {
    /// The process that `link` has received messages from.
    ///
    /// That it is this one and not a later one of the same id is certain once another message has come on `link`.
    ///
    /// # Errors
    /// [`LinkError::PeerGone`] if it has exited and was waited for; [`LinkError::NoCredentials`] before the first message.
    pub fn of(link: &Link) -> Result<Self, LinkError> {
        let pid = link.sender().ok_or(LinkError::NoCredentials)?;
        let number = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(LinkError::HiddenProcess)?;
        match pidfd_open(number, PidfdFlags::empty()) {
            Ok(process) => Ok(Self { pid, process }),
            Err(Errno::SRCH) => Err(LinkError::PeerGone),
            Err(errno) => Err(os("pidfd_open")(errno)),
        }
    }

    /// Its process id, in this process's pid namespace.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether it has exited, or does so before the deadline. Its memory is gone then, its connections are closed.
    ///
    /// # Errors
    /// If `poll` fails.
    pub fn has_exited(&self, deadline: Deadline) -> Result<bool, LinkError> {
        deadline.wait(self.process.as_fd(), PollFlags::IN).map_err(os("poll"))
    }
}
