//! The kernels, each with the promise that its PTX does what its host twin does.
//!
//! The promises of `kernels!`, for each module: the PTX is made from the `.cu` file beside it, which touches nothing but
//! its arguments within their lengths, writes nothing that is declared read, and keeps no pointer.

use antecede::kernels;

use crate::chacha;

kernels! {
    /// The cipher.
    pub(crate) Chacha: "../../../../kernels/chacha20.ptx" {
        /// `output[i] = input[i] ^ keystream[i]` for `i < n`. `key_nonce` holds the key's 8 words and the nonce's 3;
        /// `counter` is that of the first block and wraps. One thread for each block of 64 bytes.
        #[launch(threads = (n as u64 + 63) / 64, block = 256)]
        unsafe fn chacha20(n: u32, key_nonce: &[u32], counter: u32, input: &[u8], output: &mut [u8])
        where [key_nonce.len() == 11, n as usize <= input.len(), n as usize <= output.len()]
        {
            let n = n as usize;
            chacha::xor(key_nonce, counter, &input[..n], &mut output[..n]);
        }
    }

    /// Something that takes long.
    pub(crate) Busy: "../../../../kernels/busy.ptx" {
        /// Spins for that many clock cycles of a multiprocessor (the simulator does not spin: it is late as it is), then
        /// writes 1 to `out[0]`.
        #[launch(threads = 1, block = 32)]
        unsafe fn burn(clocks: u64, out: &mut [u32])
        where [1 <= out.len()]
        {
            let _ = clocks;
            out[0] = 1;
        }
    }

    /// Words that tell every place and every seed apart.
    pub(crate) Pattern: "../../../../kernels/pattern.ptx" {
        /// `out[i] = pattern_word(i, seed)`.
        unsafe fn fill_pattern(n: u32, seed: u32, out: &mut [u32])
        where [n as usize <= out.len()]
        {
            for (place, word) in (0..n).zip(out.iter_mut()) {
                *word = pattern_word(place, seed);
            }
        }
        /// `first_bad[0]` becomes the smaller of itself and the first `i` at which `x[i]` is not that word.
        unsafe fn verify_pattern(n: u32, seed: u32, x: &[u32], first_bad: &mut [u32])
        where [n as usize <= x.len(), 1 <= first_bad.len()]
        {
            let bad = (0..n).zip(x).find(|&(place, &word)| word != pattern_word(place, seed));
            if let Some((place, _)) = bad {
                first_bad[0] = first_bad[0].min(place);
            }
        }
    }
}

/// The word at a place of the pattern with that seed: what the kernels compute.
pub(crate) fn pattern_word(place: u32, seed: u32) -> u32 {
    let mut h = place.wrapping_mul(0x9E37_79B1).wrapping_add(seed);
    h ^= h >> 15;
    h = h.wrapping_mul(0x85EB_CA77);
    h ^ (h >> 13)
}
