//! The kinds of frames.

use std::fmt;

/// A frame's kind. Kinds of later versions have other numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The importer's first.
    Hello = 1,
    /// The exporter's answer.
    Welcome = 2,
    /// The importer's answer to that.
    Ready = 3,
    /// Either's last.
    Refused = 4,
    /// A buffer, from the exporter.
    Offer = 5,
    /// The end of an offer, from the importer.
    Receipt = 6,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Hello, Self::Welcome, Self::Ready, Self::Refused, Self::Offer, Self::Receipt];

    /// Bytes of each frame of this kind, with the header.
    #[must_use]
    pub const fn length(self) -> usize {
        match self {
            Self::Hello | Self::Welcome | Self::Refused => 56,
            Self::Ready => 32,
            Self::Offer => 288,
            Self::Receipt => 40,
        }
    }

    /// The kind of this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
