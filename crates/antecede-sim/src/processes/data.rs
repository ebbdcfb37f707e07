//! The 64 bytes that other processes import things by.

use super::Nonce;

/// Puts together a mark of what it is, whose it is, four numbers, and a check of all that.
pub(super) fn encode(mark: u64, Nonce(nonce): Nonce, numbers: [u64; 4]) -> [u8; 64] {
    let [a, b, c, d] = numbers;
    let mut words = [mark, nonce[0], nonce[1], a, b, c, d, 0];
    words[7] = check(&words);
    let mut bytes = [0; 64];
    bytes.chunks_exact_mut(8).zip(words).for_each(|(place, word)| place.copy_from_slice(&word.to_le_bytes()));
    bytes
}

/// Takes it apart again. `None` for what [`encode`] has not made with that mark.
pub(super) fn decode(mark: u64, bytes: &[u8; 64]) -> Option<(Nonce, [u64; 4])> {
    let mut words = [0; 8];
    for (word, place) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(place.try_into().ok()?);
    }
    let [found, first, second, a, b, c, d, sum] = words;
    words[7] = 0;
    (found == mark && sum == check(&words)).then_some((Nonce([first, second]), [a, b, c, d]))
}

/// Tells damaged data from whole; no protection against data made on purpose.
fn check(words: &[u64; 8]) -> u64 {
    words.iter().fold(0, |sum: u64, &word| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};
    use crate::processes::Nonce;

    #[test]
    fn a_changed_bit_shows() {
        let (nonce, numbers) = (Nonce([3, 4]), [5, 6, u64::MAX, 0]);
        let bytes = encode(1, nonce, numbers);
        assert_eq!(decode(1, &bytes), Some((nonce, numbers)));
        assert_eq!(decode(2, &bytes), None);
        for bit in 0..512 {
            let mut changed = bytes;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode(1, &changed), None);
        }
    }
}
