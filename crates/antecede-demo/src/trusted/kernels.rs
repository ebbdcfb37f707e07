//! The kernels, each with the promise that its PTX does what its host twin does.
//!
//! The promises of `kernels!`, for both modules: the PTX is made from the `.cu` file beside it, which touches nothing but
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
}
