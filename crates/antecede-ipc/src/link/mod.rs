//! The socket: frames and descriptors between two processes of one user, with a deadline for every call.
//!
//! A [`Link`] is one end of a connection. [`Listener`] and [`connect`] make them by a path, [`pair`] for a child process,
//! and [`Link::from_fd`] from an end that was inherited. [`as_exporter`] and [`as_importer`] make sure that both ends
//! speak of one device, and give a [`Peer`], which tells whether the other process lives.
//!
//! The kernel names the sender of every message: it must be of this process's effective user, and the same process as
//! that of the first message. A process of the superuser can name itself as it likes.

mod deadline;
mod error;
mod handshake;
mod listener;
mod outcome;
mod path;
mod peer;
mod readable;
mod sender;
mod socket;

pub use deadline::Deadline;
pub use error::{Awaited, LinkError, MAX_PATH, SendError};
pub use handshake::{Accepted, Foreign, HandshakeError, as_exporter, as_importer};
pub use listener::Listener;
pub use outcome::may_have_left;
pub use path::{connect, connect_when_ready};
pub use peer::Peer;
pub use readable::{ended, readable};
pub use socket::{Link, pair};

/// A random number that nobody can guess.
///
/// # Errors
/// If the kernel gives none.
pub fn random() -> Result<u128, LinkError> {
    let mut bytes = [0; 16];
    let no_source = |_| LinkError::Os { call: "getrandom", errno: rustix::io::Errno::IO };
    getrandom::fill(&mut bytes).map_err(no_source)?;
    Ok(u128::from_le_bytes(bytes))
}
