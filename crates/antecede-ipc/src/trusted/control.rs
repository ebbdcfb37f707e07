//! The control messages in a buffer that the kernel has filled.

use std::mem::size_of;

/// `cmsg_len`, `cmsg_level`, `cmsg_type`.
const HEADER: usize = size_of::<usize>() + 4 + 4;

/// Goes through a buffer.
pub(super) struct Messages<'buffer> {
    rest: &'buffer [u8],
}

/// One control message.
pub(super) struct Message<'buffer> {
    pub(super) level: i32,
    pub(super) kind: i32,
    pub(super) data: &'buffer [u8],
}

impl<'buffer> Messages<'buffer> {
    pub(super) fn new(buffer: &'buffer [u8]) -> Self {
        Self { rest: buffer }
    }
}

impl<'buffer> Iterator for Messages<'buffer> {
    type Item = Message<'buffer>;

    /// Ends at the first message that does not fit: the kernel writes none.
    fn next(&mut self) -> Option<Message<'buffer>> {
        let (length, fields) = self.rest.split_first_chunk()?;
        let (level, fields) = fields.split_first_chunk()?;
        let kind = fields.first_chunk()?;
        let length = usize::from_ne_bytes(*length);
        let data = self.rest.get(HEADER..length)?;
        // The next begins at a multiple of a word; the last one's padding may be missing.
        self.rest = self.rest.get(length.next_multiple_of(size_of::<usize>())..).unwrap_or_default();
        Some(Message { level: i32::from_ne_bytes(*level), kind: i32::from_ne_bytes(*kind), data })
    }
}

#[cfg(test)]
mod tests {
    use super::{HEADER, Messages};

    fn message(level: i32, kind: i32, data: &[u8]) -> Vec<u8> {
        let mut bytes = (HEADER + data.len()).to_ne_bytes().to_vec();
        bytes.extend(level.to_ne_bytes());
        bytes.extend(kind.to_ne_bytes());
        bytes.extend(data);
        bytes
    }

    #[test]
    fn messages_begin_at_multiples_of_a_word() {
        let mut buffer = message(1, 2, &[7; 12]);
        buffer.resize(buffer.len().next_multiple_of(8), 0);
        buffer.extend(message(1, 1, &[9; 4]));
        let found: Vec<_> =
            Messages::new(&buffer).map(|found| (found.level, found.kind, found.data.to_vec())).collect();
        assert_eq!(found, [(1, 2, vec![7; 12]), (1, 1, vec![9; 4])]);
    }

    #[test]
    fn a_length_that_does_not_fit_ends_it() {
        for length in [0, 1, HEADER - 1, HEADER + 5, usize::MAX] {
            let mut buffer = message(1, 1, &[9; 4]);
            buffer[..8].copy_from_slice(&length.to_ne_bytes());
            assert_eq!(Messages::new(&buffer).count(), 0, "length {length}");
        }
        let whole = message(1, 1, &[9; 4]);
        for cut in 0..whole.len() {
            assert_eq!(Messages::new(&whole[..cut]).count(), 0, "{cut} bytes");
        }
    }
}
