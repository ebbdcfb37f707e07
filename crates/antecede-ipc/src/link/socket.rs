//! One end of a connection.

use super::error::os;
use super::sender::FirstSender;
use super::{Awaited, Deadline, LinkError, SendError, may_have_left};
use crate::trusted::{self, Received};
use crate::wire::{Frame, MAX_FRAME};
use rustix::event::PollFlags;
use rustix::io::{Errno, FdFlags, IoSlice, fcntl_setfd};
use rustix::net::{
    AddressFamily, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, getpeername, sendmsg,
    socketpair, sockopt,
};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process;

/// One end of a connection. Threads may share it; a forked child may not.
#[derive(Debug)]
pub struct Link {
    socket: OwnedFd,
    /// The process that made it.
    owner: u32,
    sender: FirstSender,
}

impl Link {
    /// The end of a connection that this process was given.
    ///
    /// # Errors
    /// [`LinkError::NotALink`] if it is not a connected Unix `SOCK_SEQPACKET` socket.
    pub fn from_fd(socket: OwnedFd) -> Result<Self, LinkError> {
        let not = |found| LinkError::NotALink { found };
        match sockopt::socket_domain(&socket) {
            Ok(AddressFamily::UNIX) => {}
            Ok(_) => return Err(not("it is a socket of another family")),
            Err(Errno::NOTSOCK) => return Err(not("it is no socket")),
            Err(errno) => return Err(os("getsockopt(SO_DOMAIN)")(errno)),
        }
        if sockopt::socket_type(&socket).map_err(os("getsockopt(SO_TYPE)"))? != SocketType::SEQPACKET {
            return Err(not("it is a Unix socket of another type"));
        }
        match getpeername(&socket) {
            Ok(_) => {}
            Err(Errno::NOTCONN) => return Err(not("it is not connected")),
            Err(errno) => return Err(os("getpeername")(errno)),
        }
        fcntl_setfd(&socket, FdFlags::CLOEXEC).map_err(os("fcntl(F_SETFD)"))?;
        Self::connected(socket)
    }

    /// `socket` is known to be what [`from_fd`](Self::from_fd) checks.
    pub(super) fn connected(socket: OwnedFd) -> Result<Self, LinkError> {
        sockopt::set_socket_passcred(&socket, true).map_err(os("setsockopt(SO_PASSCRED)"))?;
        Ok(Self { socket, owner: process::id(), sender: FirstSender::default() })
    }

    /// Sends a frame, and with it the descriptor that belongs to it (which stays open here).
    ///
    /// # Errors
    /// [`SendError::may_have_left`] says whether the peer may receive it all the same.
    pub fn send(&self, frame: &Frame, descriptor: Option<BorrowedFd<'_>>, deadline: Deadline) -> Result<(), SendError> {
        let (kind, expected, found) = (frame.kind(), frame.descriptors(), descriptor.iter().len());
        if expected != found {
            return Err(SendError::before(LinkError::Descriptors { kind, expected, found }));
        }
        let encoded = frame.encode().map_err(|error| SendError::before(error.into()))?;
        self.send_bytes(&encoded, descriptor.as_slice(), deadline)
    }

    /// Sends a message as it is, also one that no peer will take. For tests of the other end.
    #[doc(hidden)]
    pub fn send_bytes(
        &self,
        bytes: &[u8],
        descriptors: &[BorrowedFd<'_>],
        deadline: Deadline,
    ) -> Result<(), SendError> {
        self.check_process().map_err(SendError::before)?;
        loop {
            let last = deadline.has_passed();
            match self.send_now(bytes, descriptors) {
                Ok(sent) if sent == bytes.len() => return Ok(()),
                // Not of this kind of socket. What the peer has got is not known.
                Ok(_) => return Err(SendError { cause: os("sendmsg")(Errno::IO), may_have_left: true }),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => match deadline.wait(self.socket.as_fd(), PollFlags::OUT) {
                    Ok(true) if !last => {}
                    Ok(_) => return Err(SendError::before(LinkError::TimedOut { awaited: Awaited::Room })),
                    Err(errno) => return Err(SendError::before(os("poll")(errno))),
                },
                Err(errno @ (Errno::PIPE | Errno::CONNRESET)) => {
                    return Err(SendError { cause: LinkError::PeerGone, may_have_left: may_have_left(errno) });
                }
                Err(errno) => {
                    return Err(SendError { cause: os("sendmsg")(errno), may_have_left: may_have_left(errno) });
                }
            }
        }
    }

    fn send_now(&self, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<usize, Errno> {
        // As many as the kernel takes at once (`SCM_MAX_FD`).
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(253))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
            return Err(Errno::INVAL);
        }
        sendmsg(&self.socket, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL | SendFlags::DONTWAIT)
    }

    /// Receives a frame, and the descriptor that belongs to it.
    ///
    /// # Errors
    /// Whatever has come with a message that is refused has been closed, and the next message can be received, unless it
    /// is [`LinkError::PeerGone`].
    pub fn receive(&self, deadline: Deadline) -> Result<(Frame, Option<OwnedFd>), LinkError> {
        self.check_process()?;
        let mut bytes = [0; MAX_FRAME];
        let received = self.receive_bytes(&mut bytes, deadline)?;
        self.sender.check(received.sender, rustix::process::geteuid().as_raw())?;
        let whole = bytes.get(..received.length);
        if received.control_truncated {
            let offer = whole.and_then(|bytes| match Frame::decode(bytes) {
                Ok(Frame::Offer(offer)) => Some(offer.export),
                _ => None,
            });
            return Err(LinkError::ControlTruncated { found: received.descriptors, offer });
        }
        let Some(bytes) = whole else {
            return Err(LinkError::Oversize { found: received.length });
        };
        let frame = Frame::decode(bytes)?;
        let (kind, expected, found) = (frame.kind(), frame.descriptors(), received.descriptors);
        if expected != found {
            return Err(LinkError::Descriptors { kind, expected, found });
        }
        Ok((frame, received.descriptor))
    }

    fn receive_bytes(&self, bytes: &mut [u8], deadline: Deadline) -> Result<Received, LinkError> {
        loop {
            let last = deadline.has_passed();
            match trusted::receive(self.socket.as_fd(), bytes) {
                // The end has no sender; an empty message has one.
                Ok(received) if received.length == 0 && !received.has_control => return Err(LinkError::PeerGone),
                Ok(received) => return Ok(received),
                // The peer has closed its end with something unread. It is said once, before what it had sent.
                Err(Errno::INTR | Errno::CONNRESET) => {}
                Err(Errno::AGAIN) => match deadline.wait(self.socket.as_fd(), PollFlags::IN) {
                    Ok(true) if !last => {}
                    Ok(_) => return Err(LinkError::TimedOut { awaited: Awaited::Message }),
                    Err(errno) => return Err(os("poll")(errno)),
                },
                Err(errno) => return Err(os("recvmsg")(errno)),
            }
        }
    }

    /// Waits until a message can be sent, or received, or the other end is closed. `false` if the deadline came first.
    ///
    /// # Errors
    /// If `poll` fails.
    pub fn wait_for_room_or_message(&self, deadline: Deadline) -> Result<bool, LinkError> {
        deadline.wait(self.socket.as_fd(), PollFlags::IN | PollFlags::OUT).map_err(os("poll"))
    }

    /// The process that sent the first message, if one has come.
    #[must_use]
    pub fn sender(&self) -> Option<u32> {
        self.sender.process()
    }

    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// The descriptor, closed on `exec`, for [`std::process::Stdio`] of a child process.
    #[must_use]
    pub fn into_fd(self) -> OwnedFd {
        self.socket
    }

    /// The descriptor, which every child process inherits that is started before it is dropped. Drop it when the child
    /// has been started: as long as it is open here, this end does not count as closed.
    ///
    /// # Errors
    /// If `fcntl` fails.
    pub fn into_inheritable(self) -> Result<OwnedFd, LinkError> {
        self.check_process()?;
        fcntl_setfd(&self.socket, FdFlags::empty()).map_err(os("fcntl(F_SETFD)"))?;
        Ok(self.socket)
    }

    fn check_process(&self) -> Result<(), LinkError> {
        match process::id() {
            found if found == self.owner => Ok(()),
            found => Err(LinkError::Forked { expected: self.owner, found }),
        }
    }
}

/// Both ends of a connection: one for this process, one for a child.
///
/// # Errors
/// If the process may not open more descriptors.
pub fn pair() -> Result<(Link, Link), LinkError> {
    let ends = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None);
    let (one, other) = ends.map_err(os("socketpair"))?;
    Ok((Link::connected(one)?, Link::connected(other)?))
}
