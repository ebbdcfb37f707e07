//! Real kernels with their host twins: the PTX in `kernels/` runs on a GPU, the twins in the simulator.

use antecede::kernels;

kernels! {
    /// Elementwise arithmetic.
    pub Math: "../../../kernels/math.ptx" {
        /// `y[i] = a * x[i] + y[i]`, with one rounding.
        unsafe fn saxpy(n: u32, a: f32, x: &[f32], y: &mut [f32]) where [n as usize <= x.len(), n as usize <= y.len()] {
            for (y, x) in y.iter_mut().zip(x).take(n as usize) {
                *y = a.mul_add(*x, *y);
            }
        }
        /// `y[i] = a * x[i]`.
        unsafe fn scale(n: u32, a: f32, x: &[f32], y: &mut [f32]) where [n as usize <= x.len(), n as usize <= y.len()] {
            for (y, x) in y.iter_mut().zip(x).take(n as usize) {
                *y = a * x;
            }
        }
        /// `x[i] = x[i] + 1`, wrapping.
        unsafe fn increment(n: u32, x: &mut [u32]) where [n as usize <= x.len()] {
            for x in x.iter_mut().take(n as usize) {
                *x = x.wrapping_add(1);
            }
        }
    }

    /// A pattern that tells every place and every seed apart: what one stream writes, another verifies. For whole checks
    /// there is [`PatternGen`](crate::PatternGen).
    pub Pattern: "../../../kernels/pattern.ptx" {
        /// `out[i] = pattern_word(i, seed)`.
        unsafe fn fill_pattern(n: u32, seed: u32, out: &mut [u32]) where [n as usize <= out.len()] {
            for (i, word) in (0..n).zip(out.iter_mut()) {
                *word = crate::pattern_word(i, seed);
            }
        }
        /// `first_bad[0]` becomes the smaller of itself and the first `i` at which `x[i]` is not that word.
        unsafe fn verify_pattern(n: u32, seed: u32, x: &[u32], first_bad: &mut [u32])
        where [n as usize <= x.len(), 1 <= first_bad.len()] {
            let bad = (0..n).zip(x).find(|&(i, &word)| word != crate::pattern_word(i, seed));
            if let Some((i, _)) = bad {
                first_bad[0] = first_bad[0].min(i);
            }
        }
    }

    /// Counting bytes.
    pub Histogram: "../../../kernels/histogram.ptx" {
        /// `bins[b] += ` how many of the first `n` bytes of `x` are `b`.
        unsafe fn histogram(n: u32, x: &[u8], bins: &mut [u32]) where [n as usize <= x.len(), 256 <= bins.len()] {
            for byte in &x[..n as usize] {
                bins[usize::from(*byte)] = bins[usize::from(*byte)].wrapping_add(1);
            }
        }
    }

    /// Keeping the device busy.
    pub Burn: "../../../kernels/busy.ptx" {
        /// Spins for that many clock cycles, then writes 1 to `out[0]`. At once in the simulator, where lateness comes
        /// from the order of execution.
        #[launch(threads = 1, block = 1)]
        unsafe fn burn(clocks: u64, out: &mut [u32]) where [1 <= out.len()] {
            let _ = clocks;
            out[0] = 1;
        }
    }
}

/// The word at place `i` of the pattern with that seed; `fill_pattern` and `verify_pattern` compute the same.
pub fn pattern_word(i: u32, seed: u32) -> u32 {
    let mut h = i.wrapping_mul(0x9E37_79B1).wrapping_add(seed);
    h ^= h >> 15;
    h = h.wrapping_mul(0x85EB_CA77);
    h ^ (h >> 13)
}
