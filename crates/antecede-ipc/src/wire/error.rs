//! What can be wrong with a frame.

use super::{HEADER, Kind, MAGIC, MAX_NAME};

/// A frame that is not one of this protocol's. Nothing of it has been believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// Fewer bytes than a header has.
    #[error("the frame has {found} bytes, and a header alone has {HEADER}")]
    Short {
        /// Bytes received.
        found: usize,
    },
    /// Another program's bytes.
    #[error("the frame begins with {found:02x?}, and not with {MAGIC:02x?}: the peer speaks another protocol")]
    Magic {
        /// The first four bytes.
        found: [u8; 4],
    },
    /// Another version of this protocol.
    #[error(
        "the frame is of protocol version {found}, this library speaks version {expected}: use one version of it in both processes"
    )]
    Version {
        /// This library's.
        expected: u16,
        /// The frame's.
        found: u16,
    },
    /// No frame has this kind.
    #[error("the frame is of kind {found}, which is none of 1 to 6")]
    Kind {
        /// The kind's number.
        found: u8,
    },
    /// A frame that was cut, or has something behind it.
    #[error("the `{kind}` frame has {found} bytes, expected {expected}")]
    Length {
        /// The frame's kind.
        kind: Kind,
        /// Bytes of each frame of that kind.
        expected: usize,
        /// Bytes received.
        found: usize,
    },
    /// The header gives another length than frames of the kind have.
    #[error("the header of the `{kind}` frame says {found} bytes, expected {expected}")]
    StatedLength {
        /// The frame's kind.
        kind: Kind,
        /// Bytes of each frame of that kind.
        expected: usize,
        /// What the header says.
        found: u32,
    },
    /// A byte that has no meaning and is not zero.
    #[error("byte {offset} of the frame is {found:#04x}, expected 0: it is reserved")]
    Reserved {
        /// From the frame's beginning.
        offset: usize,
        /// The byte.
        found: u8,
    },
    /// A flag without a meaning.
    #[error("the flags of the `{kind}` frame are {found:#04x}, of which only {expected:#04x} have a meaning")]
    Flags {
        /// The frame's kind.
        kind: Kind,
        /// All flags with a meaning.
        expected: u8,
        /// The flags found.
        found: u8,
    },
    /// Neither read-only nor read-write.
    #[error("the access is {found}, expected 1 (read-only) or 2 (read-write)")]
    Access {
        /// The access's number.
        found: u8,
    },
    /// Neither released nor declined.
    #[error("the receipt is of kind {found}, expected 1 (released) or 2 (declined)")]
    How {
        /// The number.
        found: u8,
    },
    /// A reason for a refusal that this version does not know.
    #[error("the peer refused with the unknown code {found}, expected 1 to 5")]
    RefusalCode {
        /// The code.
        found: u16,
    },
    /// A value in a refusal that the reason does not have.
    #[error("the refusal with the code {code} has the value {found:#x}, which means nothing there")]
    RefusalValue {
        /// The code.
        code: u16,
        /// The value found.
        found: u128,
    },
    /// An element's name that is empty or too long.
    #[error("the name of the element has {found} bytes, expected 1 to {MAX_NAME}")]
    NameLength {
        /// Bytes of the name.
        found: usize,
    },
    /// An element's name that is not text.
    #[error("the name of the element is not UTF-8 from its byte {valid_up_to} on")]
    NameUtf8 {
        /// How many bytes are text.
        valid_up_to: usize,
    },
    /// An element's name that would write into a terminal.
    #[error("the name of the element has a control character at its byte {at}")]
    NameControl {
        /// Which byte.
        at: usize,
    },
    /// Elements that no Rust type has.
    #[error(
        "elements of {size} bytes aligned to {alignment}: the alignment must be a power of two, the size a multiple of it and not 0"
    )]
    Element {
        /// Bytes of an element.
        size: u32,
        /// Its alignment in bytes.
        alignment: u32,
    },
    /// No elements, or more than there can be.
    #[error("{length} elements of {size} bytes: expected at least one, and at most {} bytes in all", i64::MAX)]
    Elements {
        /// Bytes of an element.
        size: u32,
        /// Elements.
        length: u64,
    },
    /// Not at the beginning of the allocation.
    #[error("the buffer begins at byte {found} of its allocation, expected 0")]
    Offset {
        /// Bytes.
        found: u64,
    },
}
