//! The name of an element type.

use super::{MAX_NAME, WireError};
use std::fmt;

/// The name of an element type: 1 to 64 bytes of UTF-8 without control characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ElementName {
    /// Zero from `length` on.
    bytes: [u8; MAX_NAME],
    length: u8,
}

impl ElementName {
    /// # Errors
    /// [`WireError::NameLength`] if it is empty or longer than 64 bytes; [`WireError::NameControl`] if it has a control
    /// character.
    pub fn new(name: &str) -> Result<Self, WireError> {
        Self::from_bytes(name.as_bytes())
    }

    /// # Errors
    /// As [`new`](Self::new), or [`WireError::NameUtf8`].
    pub fn from_bytes(name: &[u8]) -> Result<Self, WireError> {
        if name.is_empty() || name.len() > MAX_NAME {
            return Err(WireError::NameLength { found: name.len() });
        }
        let text =
            std::str::from_utf8(name).map_err(|error| WireError::NameUtf8 { valid_up_to: error.valid_up_to() })?;
        if let Some((at, _)) = text.char_indices().find(|(_, character)| character.is_control()) {
            return Err(WireError::NameControl { at });
        }
        let mut bytes = [0; MAX_NAME];
        bytes[..name.len()].copy_from_slice(name);
        Ok(Self { bytes, length: name.len() as u8 })
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)]).expect("checked by `from_bytes`")
    }

    /// The bytes with zeros behind, and how many of them are the name's.
    pub(super) fn padded(&self) -> (&[u8; MAX_NAME], u8) {
        (&self.bytes, self.length)
    }
}

impl fmt::Display for ElementName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for ElementName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
