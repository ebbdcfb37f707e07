//! Frames: what is said over the socket, byte by byte. No input or output here.
//!
//! A frame is one message of a `SOCK_SEQPACKET` socket. Numbers are little-endian. Each kind has one length. Bytes named
//! "zero" are zero, and are refused otherwise. The format strings are those of Python's `struct` module.
//!
//! # Header, 16 bytes: `<4sHBxI4x`
//!
//! | Offset | Size | Field |
//! |---|---|---|
//! | 0 | 4 | magic: the bytes `AnIp` |
//! | 4 | 2 | protocol version: 1 |
//! | 6 | 1 | kind |
//! | 7 | 1 | zero |
//! | 8 | 4 | length of the frame in bytes, with the header |
//! | 12 | 4 | zero |
//!
//! # 1 `Hello`, 56 bytes, importer to exporter: header, `16s16sB7x`
//!
//! | Offset | Size | Field |
//! |---|---|---|
//! | 16 | 16 | UUID of the device |
//! | 32 | 16 | the importer's own random number |
//! | 48 | 1 | flags: 1 the sender is not this library |
//! | 49 | 7 | zero |
//!
//! # 2 `Welcome`, 56 bytes, exporter to importer: header, `16s16sB7x`
//!
//! As `Hello`; at 32 stands the connection's random number, the nonce.
//!
//! # 3 `Ready`, 32 bytes, importer to exporter: header, `16s`
//!
//! | Offset | Size | Field |
//! |---|---|---|
//! | 16 | 16 | the nonce of the `Welcome` |
//!
//! # 4 `Refused`, 56 bytes, either to the other, then it closes: header, `H6x16s16s`
//!
//! | Offset | Size | Field |
//! |---|---|---|
//! | 16 | 2 | code: 1 version, 2 device, 3 foreign, 4 nonce, 5 kind of frame |
//! | 18 | 6 | zero |
//! | 24 | 16 | what the sender expected: a version, a UUID, 0, 0, a kind |
//! | 40 | 16 | what it found: a version, a UUID, 1, 0, a kind |
//!
//! The header and this frame stay as they are in all versions, and `Refused` is read whatever its version.
//!
//! # 5 `Offer`, 288 bytes, exporter to importer: header, `16sBBBxII4xQQ16s16s64s64s64s`
//!
//! | Offset | Size | Field |
//! |---|---|---|
//! | 16 | 16 | export: random, used once |
//! | 32 | 1 | access: 1 read-only, 2 read-write |
//! | 33 | 1 | flags: 1 there is an event, 2 the pool's descriptor is attached (exactly one; without the flag, none) |
//! | 34 | 1 | length of the element's name in bytes, 1 to 64 |
//! | 35 | 1 | zero |
//! | 36 | 4 | bytes of an element, not 0, a multiple of its alignment |
//! | 40 | 4 | alignment of an element in bytes, a power of two |
//! | 44 | 4 | zero |
//! | 48 | 8 | elements, at least 1 and at most 2^63 - 1 bytes in all |
//! | 56 | 8 | offset in the allocation in bytes: 0 |
//! | 64 | 16 | UUID of the device |
//! | 80 | 16 | the exporter's random number for its pool |
//! | 96 | 64 | pointer data (`CUmemPoolPtrExportData`) |
//! | 160 | 64 | event data (`CUipcEventHandle`), zero without the flag |
//! | 224 | 64 | name of the element: UTF-8 without control characters, then zeros |
//!
//! # 6 `Receipt`, 40 bytes, importer to exporter: header, `16sB7x`
//!
//! | Offset | Size | Field |
//! |---|---|---|
//! | 16 | 16 | export |
//! | 32 | 1 | 1 released: imported and let go; 2 declined: never imported |
//! | 33 | 7 | zero |

mod error;
mod fields;
mod greeting;
mod id;
mod kind;
mod name;
mod offer;
mod receipt;
mod refusal;

pub use error::WireError;
pub use greeting::{Hello, Ready, Welcome};
pub use id::{ExportId, Nonce, PeerId, PoolId};
pub use kind::Kind;
pub use name::ElementName;
pub use offer::{Access, Offer};
pub use receipt::{How, Receipt};
pub use refusal::Refusal;

use fields::{Reader, Writer};
use std::fmt;
use std::ops::Deref;

/// The first four bytes of each frame.
pub const MAGIC: [u8; 4] = *b"AnIp";
/// The version of the protocol.
pub const VERSION: u16 = 1;
/// Bytes of a header.
pub const HEADER: usize = 16;
/// No frame of any version has more bytes.
pub const MAX_FRAME: usize = 512;
/// Bytes of the name of an element.
pub const MAX_NAME: usize = 64;

/// What is said in one message.
#[expect(clippy::large_enum_variant, reason = "a frame lies on the stack, for as long as it is sent or received")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// The importer's first.
    Hello(Hello),
    /// The exporter's answer.
    Welcome(Welcome),
    /// The importer's answer to that.
    Ready(Ready),
    /// Either's last.
    Refused(Refusal),
    /// A buffer, from the exporter.
    Offer(Offer),
    /// The end of an offer, from the importer.
    Receipt(Receipt),
}

/// A frame's bytes.
#[derive(Clone, Copy)]
pub struct Encoded {
    bytes: [u8; MAX_FRAME],
    length: usize,
}

impl Frame {
    /// The frame's bytes.
    ///
    /// # Errors
    /// If its fields contradict each other: no frame is encoded that [`decode`](Self::decode) would refuse.
    pub fn encode(&self) -> Result<Encoded, WireError> {
        let kind = self.kind();
        let mut to = Writer::new();
        to.bytes(MAGIC);
        to.bytes(VERSION.to_le_bytes());
        to.bytes([kind as u8, 0]);
        to.bytes((kind.length() as u32).to_le_bytes());
        to.zeros(4);
        match self {
            Self::Hello(hello) => hello.write(&mut to),
            Self::Welcome(welcome) => welcome.write(&mut to),
            Self::Ready(ready) => ready.write(&mut to),
            Self::Refused(refusal) => refusal.write(&mut to),
            Self::Offer(offer) => offer.write(&mut to)?,
            Self::Receipt(receipt) => receipt.write(&mut to),
        }
        let encoded = to.finish();
        debug_assert_eq!(encoded.length, kind.length(), "the layout of `{kind}`");
        Ok(encoded)
    }

    /// The frame of these bytes.
    ///
    /// # Errors
    /// [`WireError`] says what is wrong with them. A frame of another version is [`WireError::Version`], but for
    /// `Refused`.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        let header = Header::read(bytes)?;
        if header.version == VERSION {
            return header.body(bytes);
        }
        match header.body(bytes) {
            Ok(refused @ Self::Refused(_)) => Ok(refused),
            _ => Err(WireError::Version { expected: VERSION, found: header.version }),
        }
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Hello(_) => Kind::Hello,
            Self::Welcome(_) => Kind::Welcome,
            Self::Ready(_) => Kind::Ready,
            Self::Refused(_) => Kind::Refused,
            Self::Offer(_) => Kind::Offer,
            Self::Receipt(_) => Kind::Receipt,
        }
    }

    /// How many descriptors are attached to it: 1 to an offer that says so, else 0.
    #[must_use]
    pub fn descriptors(&self) -> usize {
        usize::from(matches!(self, Self::Offer(offer) if offer.pool_attached))
    }
}

/// What all versions have at the beginning of a frame.
struct Header {
    version: u16,
    kind: u8,
    length: u32,
    /// The first byte that should be zero and is not.
    reserved: Result<(), WireError>,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, WireError> {
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Err(WireError::Short { found: bytes.len() });
        };
        let mut from = Reader::new(header, 0);
        let found = from.bytes();
        if found != MAGIC {
            return Err(WireError::Magic { found });
        }
        let version = u16::from_le_bytes(from.bytes());
        let [kind] = from.bytes();
        let reserved = from.zeros(1);
        let length = u32::from_le_bytes(from.bytes());
        let reserved = reserved.and_then(|()| from.zeros(4));
        Ok(Self { version, kind, length, reserved })
    }

    fn body(&self, bytes: &[u8]) -> Result<Frame, WireError> {
        let kind = Kind::from_number(self.kind).ok_or(WireError::Kind { found: self.kind })?;
        self.reserved?;
        let expected = kind.length();
        if self.length as usize != expected {
            return Err(WireError::StatedLength { kind, expected, found: self.length });
        }
        if bytes.len() != expected {
            return Err(WireError::Length { kind, expected, found: bytes.len() });
        }
        let from = &mut Reader::new(bytes, HEADER);
        Ok(match kind {
            Kind::Hello => Frame::Hello(Hello::read(from)?),
            Kind::Welcome => Frame::Welcome(Welcome::read(from)?),
            Kind::Ready => Frame::Ready(Ready::read(from)),
            Kind::Refused => Frame::Refused(Refusal::read(from)?),
            Kind::Offer => Frame::Offer(Offer::read(from)?),
            Kind::Receipt => Frame::Receipt(Receipt::read(from)?),
        })
    }
}

impl Deref for Encoded {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl fmt::Debug for Encoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
