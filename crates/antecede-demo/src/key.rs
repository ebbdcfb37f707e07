//! Key, nonce and counter.

use std::fmt;
use std::str::FromStr;

/// Bytes of one block of the cipher.
pub const BLOCK: u64 = 64;
/// There are that many blocks; the counter would begin again after them.
const BLOCKS: u64 = 1 << 32;

/// A key: 256 bits. Prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

/// A nonce: 96 bits, used once with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nonce([u8; 12]);

/// What a stream is enciphered with: ChaCha20's parameters, RFC 8439.
#[derive(Clone, PartialEq, Eq)]
pub struct Cipher {
    words: [u32; 11],
    counter: u32,
}

impl Cipher {
    /// `counter` is the number of the first block.
    pub fn new(key: &Key, nonce: &Nonce, counter: u32) -> Self {
        let mut words = [0; 11];
        for (word, bytes) in words.iter_mut().zip(key.0.chunks_exact(4).chain(nonce.0.chunks_exact(4))) {
            *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        Cipher { words, counter }
    }

    /// The key's 8 words and the nonce's 3, little-endian.
    pub fn words(&self) -> &[u32; 11] {
        &self.words
    }

    /// The number of the block at byte `start`, a multiple of 64, from which `len` bytes are enciphered; `None` if the
    /// counter does not reach to their end.
    pub fn counter_at(&self, start: u64, len: u64) -> Option<u32> {
        let first = u64::from(self.counter).checked_add(start / BLOCK)?;
        let end = first.checked_add(len.div_ceil(BLOCK))?;
        if end > BLOCKS { None } else { u32::try_from(first).ok().or(Some(0)) }
    }

    /// The number of the first block.
    pub fn counter(&self) -> u32 {
        self.counter
    }

    /// The most bytes that can be enciphered.
    pub fn room(&self) -> u64 {
        (BLOCKS - u64::from(self.counter)) * BLOCK
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl fmt::Debug for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cipher").field("counter", &self.counter).finish_non_exhaustive()
    }
}

/// 64 hexadecimal digits.
impl FromStr for Key {
    type Err = HexError;

    fn from_str(text: &str) -> Result<Self, HexError> {
        bytes("key", text).map(Key)
    }
}

/// 24 hexadecimal digits.
impl FromStr for Nonce {
    type Err = HexError;

    fn from_str(text: &str) -> Result<Self, HexError> {
        bytes("nonce", text).map(Nonce)
    }
}

fn bytes<const N: usize>(what: &'static str, text: &str) -> Result<[u8; N], HexError> {
    if let Some(place) = text.chars().position(|c| !c.is_ascii_hexdigit()) {
        return Err(HexError::Digit { what, digits: 2 * N, place: place + 1 });
    }
    let mut bytes = [0; N];
    match hex::decode_to_slice(text, &mut bytes) {
        Ok(()) => Ok(bytes),
        Err(_) => Err(HexError::Length { what, digits: 2 * N, found: text.len() }),
    }
}

/// Why a key or a nonce is refused. Says nothing of its digits: it may end up in a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HexError {
    /// Too few digits, or too many.
    #[error("the {what} must have {digits} hexadecimal digits, not {found}")]
    #[non_exhaustive]
    Length {
        /// `key` or `nonce`.
        what: &'static str,
        /// How many there should be.
        digits: usize,
        /// How many there are.
        found: usize,
    },
    /// Something that is no digit.
    #[error("the {what} must have {digits} hexadecimal digits: character {place} is none")]
    #[non_exhaustive]
    Digit {
        /// `key` or `nonce`.
        what: &'static str,
        /// How many digits there should be.
        digits: usize,
        /// Which character, from 1.
        place: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::{Cipher, HexError, Key, Nonce};

    fn cipher(counter: u32) -> Cipher {
        let (key, nonce) = ("00010203".repeat(8), "0a0b0c0d".repeat(3));
        Cipher::new(&key.parse().expect("a key"), &nonce.parse().expect("a nonce"), counter)
    }

    #[test]
    fn words_are_little_endian() {
        let mut expected = [0x0302_0100; 11];
        expected[8..].fill(0x0d0c_0b0a);
        assert_eq!(cipher(0).words(), &expected);
    }

    #[test]
    fn digits_are_counted_and_checked() {
        let length = HexError::Length { what: "key", digits: 64, found: 63 };
        assert_eq!("a".repeat(63).parse::<Key>(), Err(length));
        assert_eq!(length.to_string(), "the key must have 64 hexadecimal digits, not 63");
        let digit = HexError::Digit { what: "nonce", digits: 24, place: 3 };
        assert_eq!("00g000000000000000000000".parse::<Nonce>(), Err(digit));
        assert_eq!("é".repeat(32).parse::<Key>(), Err(HexError::Digit { what: "key", digits: 64, place: 1 }));
        assert!("AbCd".repeat(6).parse::<Nonce>().is_ok());
    }

    #[test]
    fn the_counter_ends_at_its_last_block() {
        let blocks = 1u64 << 32;
        assert_eq!(cipher(0).counter_at(0, 64 * blocks), Some(0));
        assert_eq!(cipher(0).counter_at(0, 64 * blocks + 1), None);
        assert_eq!(cipher(1).counter_at(0, 64 * blocks - 64), Some(1));
        assert_eq!(cipher(1).counter_at(0, 64 * blocks - 63), None);
        assert_eq!(cipher(u32::MAX).counter_at(0, 64), Some(u32::MAX));
        assert_eq!(cipher(u32::MAX).counter_at(64, 1), None);
        assert_eq!(cipher(7).counter_at(640, 1), Some(17));
        assert_eq!(cipher(0).counter_at(u64::MAX / 64 * 64, u64::MAX), None);
        assert_eq!(cipher(u32::MAX).room(), 64);
    }

    #[test]
    fn debug_output_holds_no_secret() {
        let key: Key = "ab".repeat(32).parse().expect("a key");
        assert_eq!(format!("{key:?}"), "Key(..)");
        assert_eq!(format!("{:?}", cipher(3)), "Cipher { counter: 3, .. }");
    }
}
