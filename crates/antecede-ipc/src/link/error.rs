//! What can go wrong on a socket.

use crate::wire::{ExportId, Kind, MAX_FRAME, WireError};
use rustix::io::Errno;
use std::path::PathBuf;

/// Bytes of the longest path of a Unix socket.
pub const MAX_PATH: usize = 107;

/// A call on the connection, the socket that is listened on, or the other process's handle that did not do what was
/// asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The deadline came first.
    #[error("no {awaited} before the deadline")]
    TimedOut {
        /// What was waited for.
        awaited: Awaited,
    },
    /// The other end of the connection is closed: its process has exited or has let go of it.
    #[error("the peer is gone: the other end of the connection is closed")]
    PeerGone,
    /// The process has forked, and this is the child.
    #[error(
        "the connection belongs to process {expected}, and process {found}, forked from it, has called it: \
         open a connection in the child"
    )]
    Forked {
        /// The process that made the link.
        expected: u32,
        /// The process that called.
        found: u32,
    },
    /// The message is no frame. The next one can be received.
    #[error("a message that is no frame: {0}")]
    Malformed(#[from] WireError),
    /// The message is longer than any frame. The next one can be received.
    #[error("a message of {found} bytes, expected at most {MAX_FRAME}")]
    Oversize {
        /// Bytes of the message.
        found: usize,
    },
    /// The kernel could not hand over all that came with the message. The next one can be received.
    #[error(
        "what came with a message is lost, {found} descriptors were closed: this process has perhaps as many open as it \
         may (`ulimit -n`)"
    )]
    ControlTruncated {
        /// Descriptors that came all the same.
        found: usize,
        /// What was offered, if the frame is an offer: it is without its descriptor.
        offer: Option<ExportId>,
    },
    /// Too many descriptors with a frame, or none. They have been closed. The next message can be received.
    #[error("{found} descriptors with the frame `{kind}`, expected {expected}")]
    Descriptors {
        /// The frame's kind.
        kind: Kind,
        /// How many belong to the frame.
        expected: usize,
        /// How many came, or were to be sent.
        found: usize,
    },
    /// The kernel did not say who sent the message.
    #[error("a message without its sender's credentials: something has turned the socket's option SO_PASSCRED off")]
    NoCredentials,
    /// The message is another user's.
    #[error("a message of user {found}, expected {expected}: both processes must run as one user")]
    OtherUser {
        /// This process's effective user.
        expected: u32,
        /// The sender's user.
        found: u32,
    },
    /// The message is of another process than the first one was.
    #[error("a message of process {found}, expected {expected}: a connection is used by one process at each end")]
    OtherProcess {
        /// Who sent the first message.
        expected: u32,
        /// Who sent this one.
        found: u32,
    },
    /// The kernel names no process as the sender.
    #[error(
        "a message of no process that has an id here: run both processes in one pid namespace, and set the option \
         SO_PASSCRED before the first message is sent"
    )]
    HiddenProcess,
    /// The descriptor is not an end of a connection.
    #[error("the descriptor is not a connected Unix SOCK_SEQPACKET socket: {found}")]
    NotALink {
        /// What it is.
        found: &'static str,
    },
    /// The path cannot be a socket's.
    #[error(
        "{path:?} has {found} bytes, and the path of a socket at most {expected}: choose a directory with a shorter path"
    )]
    PathTooLong {
        /// The path.
        path: PathBuf,
        /// Bytes that there is room for.
        expected: usize,
        /// Bytes of the path.
        found: usize,
    },
    /// Another process listens there.
    #[error("another process listens at {path:?}: choose another path, or end that process")]
    AddrInUse {
        /// The path.
        path: PathBuf,
    },
    /// Something else is there.
    #[error("{path:?} is in the way: {found}, and only a socket of this user's that nobody listens at is replaced")]
    NotOurSocket {
        /// The path.
        path: PathBuf,
        /// What is there.
        found: &'static str,
    },
    /// Nobody listens there.
    #[error("nobody listens at {path:?}: start the exporter first, or wait for it with `connect_within`")]
    NoListener {
        /// The path.
        path: PathBuf,
    },
    /// A system call failed.
    #[error("{call}: {errno}")]
    Os {
        /// The call.
        call: &'static str,
        /// Its error.
        errno: Errno,
    },
}

/// What a call waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Awaited {
    /// A message from the peer.
    Message,
    /// Room in the socket for a message to the peer.
    Room,
    /// A peer that connects.
    Connection,
    /// A listener that accepts.
    Listener,
}

impl std::fmt::Display for Awaited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Message => "message came from the peer",
            Self::Room => "room for a message was made by the peer, which does not read,",
            Self::Connection => "peer connected",
            Self::Listener => "listener took the connection",
        })
    }
}

/// A frame that was not sent, or perhaps was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {cause}", if *may_have_left { "the frame may have been delivered" } else { "the frame was not sent" })]
pub struct SendError {
    /// What happened.
    #[source]
    pub cause: LinkError,
    /// Whether the peer may receive the frame all the same. What it offers counts as offered then.
    pub may_have_left: bool,
}

impl SendError {
    /// An error from before the call of the kernel.
    pub(super) fn before(cause: LinkError) -> Self {
        Self { cause, may_have_left: false }
    }
}

/// Closes over the name of a call.
pub(super) fn os(call: &'static str) -> impl Fn(Errno) -> LinkError {
    move |errno| LinkError::Os { call, errno }
}
