//! `Hello`, `Welcome`, `Ready`: both ends make sure of the version, the device and the process.

use super::{Deadline, Link, LinkError, Peer, random};
use crate::wire::{Frame, Hello, Kind, Nonce, PeerId, Ready, Refusal, Welcome, WireError};
use antecede::driver::DeviceUuid;

/// Whether a peer may be another program than this library, whose types do not hold it to anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Foreign {
    /// It may not.
    Refused,
    /// It may.
    Allowed,
}

/// A connection whose ends agree.
#[derive(Debug)]
pub struct Accepted {
    /// The connection.
    pub link: Link,
    /// The process at the other end. For an importer that it is not a later process of the same id is certain from the
    /// next message on.
    pub peer: Peer,
    /// Whether the peer says that it is another program than this library.
    pub foreign: bool,
    /// The importer's own number, at both ends.
    pub importer: PeerId,
    /// The connection's number, at both ends.
    pub nonce: Nonce,
}

/// Why two processes do not pair. `expected` is this process's, `found` the peer's, whoever of them refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandshakeError {
    /// The versions of the protocol differ.
    #[error(
        "this process speaks protocol version {expected} and the peer {found}: use one version of the library in both"
    )]
    Version {
        /// This process's.
        expected: u16,
        /// The peer's.
        found: u16,
    },
    /// The devices differ.
    #[error(
        "this process uses the device {expected} and the peer {found}: both must see the same device as their first \
         (`CUDA_VISIBLE_DEVICES`)"
    )]
    Device {
        /// This process's.
        expected: DeviceUuid,
        /// The peer's.
        found: DeviceUuid,
    },
    /// The peer is another program.
    #[error("the peer says that it is not this library: pairing with such a program is `unsafe` and asked for by name")]
    Foreign,
    /// The peer has repeated another number than it was sent.
    #[error("the peer sent back another number than it was sent ({expected}, found {found})")]
    Nonce {
        /// What was sent.
        expected: Nonce,
        /// What came back.
        found: Nonce,
    },
    /// A frame that has no place there.
    #[error("the peer sent the frame `{found}`, expected `{expected}`: is it an {} too?", role(*expected))]
    Unexpected {
        /// What should have come.
        expected: Kind,
        /// What came.
        found: Kind,
    },
    /// The peer has refused for a reason that is not seen from here.
    #[error("the peer refused: {0}")]
    Refused(Refusal),
    /// The connection failed, whether or not the last frame was delivered: it is closed now.
    #[error(transparent)]
    Link(#[from] LinkError),
}

/// The exporter's side.
///
/// # Errors
/// If the versions or the devices differ, or the peer is another program and none is allowed; the peer is told so, and
/// finds an error with the same values.
pub fn as_exporter(
    link: Link,
    device: DeviceUuid,
    foreign: Foreign,
    deadline: Deadline,
) -> Result<Accepted, HandshakeError> {
    let side = Side { link, device, foreign, deadline };
    let hello = match side.receive(Kind::Hello)? {
        Frame::Hello(hello) => hello,
        frame => return Err(side.unexpected(Kind::Hello, &frame)),
    };
    side.check(hello.device, hello.foreign)?;
    // Before `Ready`: as its sender then still lives, the id has been this process's ever since.
    let peer = Peer::of(&side.link)?;
    let nonce = Nonce(random()?);
    side.send(Frame::Welcome(Welcome { device, nonce, foreign: false }))?;
    let ready = match side.receive(Kind::Ready)? {
        Frame::Ready(ready) => ready,
        frame => return Err(side.unexpected(Kind::Ready, &frame)),
    };
    if ready.nonce != nonce {
        return Err(side.refuse(Refusal::Nonce, HandshakeError::Nonce { expected: nonce, found: ready.nonce }));
    }
    Ok(Accepted { link: side.link, peer, foreign: hello.foreign, importer: hello.peer, nonce })
}

/// The importer's side.
///
/// # Errors
/// As [`as_exporter`].
pub fn as_importer(
    link: Link,
    device: DeviceUuid,
    foreign: Foreign,
    deadline: Deadline,
) -> Result<Accepted, HandshakeError> {
    let side = Side { link, device, foreign, deadline };
    let importer = PeerId(random()?);
    side.send(Frame::Hello(Hello { device, peer: importer, foreign: false }))?;
    let welcome = match side.receive(Kind::Welcome)? {
        Frame::Welcome(welcome) => welcome,
        frame => return Err(side.unexpected(Kind::Welcome, &frame)),
    };
    side.check(welcome.device, welcome.foreign)?;
    let peer = Peer::of(&side.link)?;
    side.send(Frame::Ready(Ready { nonce: welcome.nonce }))?;
    Ok(Accepted { link: side.link, peer, foreign: welcome.foreign, importer, nonce: welcome.nonce })
}

/// What both sides do.
struct Side {
    link: Link,
    device: DeviceUuid,
    foreign: Foreign,
    deadline: Deadline,
}

impl Side {
    /// A frame, which is not a refusal. `expected` is what the peer should send.
    fn receive(&self, expected: Kind) -> Result<Frame, HandshakeError> {
        match self.link.receive(self.deadline) {
            Ok((Frame::Refused(refusal), _)) => Err(self.refused(refusal)),
            Ok((frame, _)) => Ok(frame),
            Err(LinkError::Malformed(WireError::Version { expected, found })) => {
                Err(self.refuse(Refusal::Version { expected, found }, HandshakeError::Version { expected, found }))
            }
            // An offer's descriptor or none: it has no place here anyhow.
            Err(LinkError::Descriptors { kind: found, .. }) if found != expected => {
                let refusal = Refusal::Unexpected { expected, found };
                Err(self.refuse(refusal, HandshakeError::Unexpected { expected, found }))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn send(&self, frame: Frame) -> Result<(), HandshakeError> {
        Ok(self.link.send(&frame, None, self.deadline).map_err(|error| error.cause)?)
    }

    fn check(&self, found: DeviceUuid, foreign: bool) -> Result<(), HandshakeError> {
        if foreign && self.foreign == Foreign::Refused {
            return Err(self.refuse(Refusal::Foreign, HandshakeError::Foreign));
        }
        let expected = self.device;
        if found != expected {
            return Err(self.refuse(Refusal::Device { expected, found }, HandshakeError::Device { expected, found }));
        }
        Ok(())
    }

    /// Tells the peer. That it may not hear it changes nothing: the connection ends here.
    fn refuse(&self, refusal: Refusal, error: HandshakeError) -> HandshakeError {
        let _unheard = self.link.send(&Frame::Refused(refusal), None, self.deadline);
        error
    }

    fn unexpected(&self, expected: Kind, frame: &Frame) -> HandshakeError {
        let found = frame.kind();
        self.refuse(Refusal::Unexpected { expected, found }, HandshakeError::Unexpected { expected, found })
    }

    /// The peer's refusal, seen from here.
    fn refused(&self, refusal: Refusal) -> HandshakeError {
        match refusal {
            Refusal::Version { expected, found } => HandshakeError::Version { expected: found, found: expected },
            Refusal::Device { expected, .. } => HandshakeError::Device { expected: self.device, found: expected },
            other => HandshakeError::Refused(other),
        }
    }
}

/// Who waits for a frame of this kind.
fn role(expected: Kind) -> &'static str {
    match expected {
        Kind::Hello | Kind::Ready | Kind::Receipt => "exporter",
        Kind::Welcome | Kind::Offer | Kind::Refused => "importer",
    }
}
