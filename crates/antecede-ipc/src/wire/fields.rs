//! Fields one after the other.

use super::{Encoded, MAX_FRAME, WireError};

/// Reads fields of bytes whose number has been checked.
#[derive(Clone)]
pub(super) struct Reader<'bytes> {
    bytes: &'bytes [u8],
    at: usize,
}

impl<'bytes> Reader<'bytes> {
    /// `at` is where the first field begins.
    pub(super) fn new(bytes: &'bytes [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// # Panics
    /// If fewer are left: the layout is wrong then, whatever was received.
    pub(super) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let field = *self.bytes[self.at..].first_chunk().expect("the length was checked");
        self.at += N;
        field
    }

    pub(super) fn u128(&mut self) -> u128 {
        u128::from_le_bytes(self.bytes())
    }

    pub(super) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    pub(super) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.at += count;
    }

    /// `count` bytes that mean nothing.
    pub(super) fn zeros(&mut self, count: usize) -> Result<(), WireError> {
        let begin = self.at;
        self.at += count;
        match self.bytes[begin..self.at].iter().position(|byte| *byte != 0) {
            None => Ok(()),
            Some(at) => Err(WireError::Reserved { offset: begin + at, found: self.bytes[begin + at] }),
        }
    }
}

/// Writes fields.
pub(super) struct Writer {
    encoded: Encoded,
}

impl Writer {
    pub(super) fn new() -> Self {
        Self { encoded: Encoded { bytes: [0; MAX_FRAME], length: 0 } }
    }

    pub(super) fn bytes<const N: usize>(&mut self, field: [u8; N]) {
        let begin = self.encoded.length;
        self.zeros(N);
        self.encoded.bytes[begin..][..N].copy_from_slice(&field);
    }

    pub(super) fn zeros(&mut self, count: usize) {
        self.encoded.length += count;
    }

    pub(super) fn finish(self) -> Encoded {
        self.encoded
    }
}
