//! The frame `Refused`.

use super::fields::{Reader, Writer};
use super::{Kind, WireError};
use antecede::driver::DeviceUuid;

/// Why the sender ends the connection. `expected` and `found` are the sender's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The other speaks another version of the protocol.
    #[error("it speaks protocol version {expected}, and was spoken to in version {found}")]
    Version {
        /// The sender's.
        expected: u16,
        /// The other's.
        found: u16,
    },
    /// The other uses another device.
    #[error("it uses the device {expected}, and was told of {found}")]
    Device {
        /// The sender's.
        expected: DeviceUuid,
        /// The other's.
        found: DeviceUuid,
    },
    /// The other is not this library.
    #[error("it pairs with this library alone, and was told that the other is another program")]
    Foreign,
    /// The nonce that came back is another.
    #[error("the number that it got back is not the one that it sent")]
    Nonce,
    /// A frame that has no place there.
    #[error("it expected the frame `{expected}` and found `{found}`")]
    Unexpected {
        /// What should have come.
        expected: Kind,
        /// What came.
        found: Kind,
    },
}

impl Refusal {
    pub(super) fn write(&self, to: &mut Writer) {
        let (code, expected, found) = self.fields();
        to.bytes(code.to_le_bytes());
        to.zeros(6);
        to.bytes(expected);
        to.bytes(found);
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let code = u16::from_le_bytes(from.bytes());
        from.zeros(6)?;
        let (expected, found) = (from.bytes(), from.bytes());
        let (expected_number, found_number) = (u128::from_le_bytes(expected), u128::from_le_bytes(found));
        let exactly = |found, expected: u128| match found == expected {
            true => Ok(()),
            false => Err(WireError::RefusalValue { code, found }),
        };
        match code {
            1 => Ok(Self::Version { expected: version(code, expected_number)?, found: version(code, found_number)? }),
            2 => Ok(Self::Device { expected: DeviceUuid(expected), found: DeviceUuid(found) }),
            3 => exactly(expected_number, 0).and(exactly(found_number, 1)).map(|()| Self::Foreign),
            4 => exactly(expected_number, 0).and(exactly(found_number, 0)).map(|()| Self::Nonce),
            5 => Ok(Self::Unexpected { expected: kind(code, expected_number)?, found: kind(code, found_number)? }),
            _ => Err(WireError::RefusalCode { found: code }),
        }
    }

    fn fields(&self) -> (u16, [u8; 16], [u8; 16]) {
        let number = |number: u16| u128::from(number).to_le_bytes();
        match *self {
            Self::Version { expected, found } => (1, number(expected), number(found)),
            Self::Device { expected, found } => (2, expected.0, found.0),
            Self::Foreign => (3, number(0), number(1)),
            Self::Nonce => (4, number(0), number(0)),
            Self::Unexpected { expected, found } => (5, number(expected as u16), number(found as u16)),
        }
    }
}

fn version(code: u16, found: u128) -> Result<u16, WireError> {
    u16::try_from(found).map_err(|_| WireError::RefusalValue { code, found })
}

fn kind(code: u16, found: u128) -> Result<Kind, WireError> {
    let kind = u8::try_from(found).ok().and_then(Kind::from_number);
    kind.ok_or(WireError::RefusalValue { code, found })
}
