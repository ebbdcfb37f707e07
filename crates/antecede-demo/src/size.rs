//! Sizes as they are written on a command line.

use std::str::FromStr;

/// The largest chunk. A ring of four holds sixteen times as much.
const LARGEST: usize = 256 << 20;
/// A chunk is a whole number of the cipher's blocks, so that each starts at a counter of its own.
const BLOCK: usize = 64;

/// Bytes of a chunk: a whole number of blocks of 64 bytes, at most 256 MiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChunkSize(usize);

impl ChunkSize {
    /// That many bytes, rounded up to whole blocks.
    ///
    /// # Errors
    /// If it is zero, or more than 256 MiB.
    pub fn new(bytes: usize) -> Result<Self, SizeError> {
        match bytes {
            0 => Err(SizeError::Zero),
            1..=LARGEST => Ok(ChunkSize(bytes.next_multiple_of(BLOCK))),
            _ => Err(SizeError::TooLarge),
        }
    }

    /// Not more than is needed for `len` bytes in all.
    pub fn at_most(self, len: u64) -> Self {
        let enough = usize::try_from(len).unwrap_or(LARGEST).clamp(1, LARGEST).next_multiple_of(BLOCK);
        ChunkSize(self.0.min(enough))
    }

    /// In bytes.
    pub fn bytes(self) -> usize {
        self.0
    }
}

/// 4 MiB.
impl Default for ChunkSize {
    fn default() -> Self {
        ChunkSize(4 << 20)
    }
}

/// `4MiB`, `64k`, `1000`: digits, then nothing or a power of 1024.
impl FromStr for ChunkSize {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
        if digits.is_empty() {
            return Err(SizeError::NoNumber);
        }
        let shift = match unit.trim_start().to_ascii_lowercase().as_str() {
            "" | "b" => 0,
            "k" | "kib" => 10,
            "m" | "mib" => 20,
            "g" | "gib" => 30,
            _ => return Err(SizeError::Unit),
        };
        let number: usize = digits.parse().map_err(|_| SizeError::TooLarge)?;
        ChunkSize::new(number.checked_mul(1 << shift).ok_or(SizeError::TooLarge)?)
    }
}

/// Why a size is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// It does not begin with a digit.
    #[error("a size is a number, with a unit if you like: 65536, 64KiB, 4M")]
    NoNumber,
    /// Something else than a known unit after the number.
    #[error("the unit is K, M or G, or KiB, MiB or GiB (powers of 1024)")]
    Unit,
    /// No bytes.
    #[error("a chunk has at least one byte")]
    Zero,
    /// More than a chunk may have.
    #[error("a chunk has at most 256 MiB")]
    TooLarge,
}

#[cfg(test)]
mod tests {
    use super::{ChunkSize, SizeError};

    fn bytes(text: &str) -> Result<usize, SizeError> {
        text.parse().map(ChunkSize::bytes)
    }

    #[test]
    fn units_are_powers_of_1024() {
        for (text, expected) in [
            ("64", 64),
            ("1000", 1024),
            ("64KiB", 64 << 10),
            ("64k", 64 << 10),
            ("1M", 1 << 20),
            ("4MiB", 4 << 20),
            ("4 mib", 4 << 20),
            ("128B", 128),
            ("256M", 256 << 20),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn chunks_are_whole_blocks() {
        assert_eq!(bytes("1"), Ok(64));
        assert_eq!(bytes("65"), Ok(128));
    }

    #[test]
    fn what_is_no_size_is_refused_with_a_reason() {
        assert_eq!(bytes(""), Err(SizeError::NoNumber));
        assert_eq!(bytes("MiB"), Err(SizeError::NoNumber));
        assert_eq!(bytes("-1"), Err(SizeError::NoNumber));
        assert_eq!(bytes("4MB"), Err(SizeError::Unit));
        assert_eq!(bytes("1.5M"), Err(SizeError::Unit));
        assert_eq!(bytes("0"), Err(SizeError::Zero));
        assert_eq!(bytes("0M"), Err(SizeError::Zero));
        assert_eq!(bytes("257M"), Err(SizeError::TooLarge));
        assert_eq!(bytes("1GiB"), Err(SizeError::TooLarge));
        assert_eq!(bytes("99999999999999999999"), Err(SizeError::TooLarge));
        assert_eq!(bytes("99999999999G"), Err(SizeError::TooLarge));
    }

    #[test]
    fn a_chunk_is_no_larger_than_the_file() {
        let chunk = ChunkSize::default();
        assert_eq!(chunk.at_most(0).bytes(), 64);
        assert_eq!(chunk.at_most(65).bytes(), 128);
        assert_eq!(chunk.at_most(u64::MAX), chunk);
    }
}
