//! The thread that talks with other simulators. It never runs an operation, and waits with no lock held.
//!
//! An importer connects to the simulator whose event it opens. It asks (16 bytes) for a record; the answer (one byte) says
//! that one of those asked for has taken effect, and that it is worth looking at the board. The end of a connection says
//! that the other simulator is gone.

use std::io;
use std::sync::Arc;

use super::exports::Signal;
use super::{Link, Nonce};

#[cfg(target_os = "linux")]
mod thread;

/// How the courier is reached.
#[derive(Debug)]
pub(crate) struct Courier {
    pub(super) nonce: Nonce,
    pub(super) bell: Arc<Bell>,
    pub(super) links: Vec<Arc<Link>>,
}

/// Wakes the courier.
#[derive(Debug)]
pub(crate) struct Bell(#[cfg(target_os = "linux")] std::os::fd::OwnedFd);

const QUESTION: usize = 16;

pub(super) fn question(signal: Signal) -> [u8; QUESTION] {
    let mut bytes = [0; QUESTION];
    bytes[..8].copy_from_slice(&u64::from(signal.slot).to_le_bytes());
    bytes[8..].copy_from_slice(&signal.number.to_le_bytes());
    bytes
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{self, ErrorKind, Read, Write};
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
    use std::sync::Arc;

    use rustix::event::{EventfdFlags, eventfd};

    use super::{Bell, Courier, Link, Nonce};
    use crate::processes::board::Board;
    use crate::processes::exports::Origin;
    use crate::processes::file::fresh_nonce;
    use crate::trusted::Shared;

    impl Bell {
        fn new() -> io::Result<Self> {
            Ok(Bell(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?))
        }

        /// A bell that is full has been rung.
        pub(crate) fn ring(&self) {
            let _full = rustix::io::write(&self.0, &1u64.to_ne_bytes());
        }

        pub(super) fn hush(&self) {
            let _silent = rustix::io::read(&self.0, &mut [0; 8]);
        }

        pub(super) fn descriptor(&self) -> &std::os::fd::OwnedFd {
            &self.0
        }
    }

    fn address(Nonce([first, second]): Nonce) -> io::Result<SocketAddr> {
        SocketAddr::from_abstract_name(format!("antecede-sim-{first:016x}{second:016x}"))
    }

    impl Courier {
        /// The courier, and what its thread does.
        pub(crate) fn start() -> io::Result<(Courier, impl FnOnce(&Shared) + Send + 'static)> {
            let (nonce, bell) = (fresh_nonce()?, Arc::new(Bell::new()?));
            let listener = UnixListener::bind_addr(&address(nonce)?)?;
            listener.set_nonblocking(true)?;
            let courier = Courier { nonce, bell: Arc::clone(&bell), links: Vec::new() };
            Ok((courier, move |shared: &Shared| super::thread::run(shared, &bell, listener)))
        }
    }

    impl Link {
        /// Reaches the simulator that an event is of.
        pub(in crate::processes) fn open(origin: &Origin) -> Result<Self, String> {
            let board = Board::open(origin.process, origin.descriptor, origin.nonce)?;
            let stream = address(origin.nonce).and_then(|address| UnixStream::connect_addr(&address));
            let stream = stream.and_then(|stream| stream.set_nonblocking(true).map(|()| stream));
            Ok(Link::new(board, stream.map_err(|_| "the exporter is gone")?))
        }
    }

    /// Reads all that has come. `Err`: the connection has ended.
    pub(super) fn read_all(mut stream: &UnixStream, mut take: impl FnMut(&[u8])) -> io::Result<()> {
        let mut bytes = [0; 1024];
        loop {
            match stream.read(&mut bytes) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(len) => take(&bytes[..len]),
                Err(cause) if cause.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(cause) if cause.kind() == ErrorKind::Interrupted => {}
                Err(cause) => return Err(cause),
            }
        }
    }

    /// How many bytes went out. A connection that has ended is noticed when it is read.
    pub(super) fn write(mut stream: &UnixStream, bytes: &[u8]) -> usize {
        stream.write(bytes).unwrap_or(0)
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::io;

    use super::{Bell, Courier, Link};
    use crate::processes::exports::Origin;
    use crate::trusted::Shared;

    impl Bell {
        pub(crate) fn ring(&self) {}
    }

    impl Courier {
        pub(crate) fn start() -> io::Result<(Courier, fn(&Shared))> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    impl Link {
        pub(in crate::processes) fn open(_: &Origin) -> Result<Self, String> {
            Err("there are no interprocess events here".into())
        }
    }
}

impl Courier {
    pub(crate) fn bell(&self) -> &Bell {
        &self.bell
    }

    pub(crate) fn links(&self) -> Vec<Arc<Link>> {
        self.links.clone()
    }

    /// Events and waits keep what they need of them.
    pub(crate) fn forget_the_gone(&mut self) {
        self.links.retain(|link| !link.is_gone());
    }

    /// The link to a simulator, if it is there already.
    pub(super) fn link(&self, nonce: Nonce) -> Option<Arc<Link>> {
        self.links.iter().find(|link| link.board().nonce == nonce && !link.is_gone()).cloned()
    }

    pub(super) fn add(&mut self, link: Link) -> Arc<Link> {
        let link = Arc::new(link);
        self.links.push(Arc::clone(&link));
        self.bell.ring();
        link
    }
}

/// The same error for whatever the system refused.
pub(super) fn unavailable(cause: &io::Error) -> String {
    format!("the system has no means for it: {cause}")
}
