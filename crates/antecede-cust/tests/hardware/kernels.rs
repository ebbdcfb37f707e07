//! The project's kernels against the same arithmetic on the host.

use crate::common::kernels::{Arg, BUSY, HISTOGRAM, MATH, PATTERN};
use crate::common::{Gpu, bytes_of, words_of};

const N: usize = 100_003;
/// What lies behind the last element, and must stay.
const GUARD: u32 = 0x5A5A_5A5A;

fn floats(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i as f32).sin() * 1000.0).collect()
}

fn guarded(values: impl IntoIterator<Item = u32>) -> Vec<u32> {
    values.into_iter().chain([GUARD; 8]).collect()
}

#[test]
#[ignore = "needs a GPU"]
fn saxpy_and_scale() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let (x, y, a) = (floats(N), floats(N + 7)[7..].to_vec(), 1.7f32);
    let fused: Vec<u32> = x.iter().zip(&y).map(|(&x, &y)| a.mul_add(x, y).to_bits()).collect();
    let scaled: Vec<u32> = x.iter().map(|&x| (a * x).to_bits()).collect();
    for (name, expected) in [("saxpy", fused), ("scale", scaled)] {
        let from = gpu.upload(&stream, &bytes_of(&x.iter().map(|x| x.to_bits()).collect::<Vec<_>>()));
        let to = gpu.upload(&stream, &bytes_of(&guarded(y.iter().map(|y| y.to_bits()))));
        let args = [Arg::U32(N as u32), Arg::F32(a), Arg::Read(from, N * 4), Arg::Write(to, N * 4)];
        gpu.launch(&stream, &MATH, name, &args);
        assert_eq!(words_of(&gpu.download(&stream, to, (N + 8) * 4)), guarded(expected), "{name}");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn increment_wraps() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let x = guarded((0..N as u32).map(|i| i.wrapping_sub(3)));
    let memory = gpu.upload(&stream, &bytes_of(&x));
    gpu.launch(&stream, &MATH, "increment", &[Arg::U32(N as u32), Arg::Write(memory, N * 4)]);
    let expected = guarded((0..N as u32).map(|i| i.wrapping_sub(2)));
    assert_eq!(words_of(&gpu.download(&stream, memory, (N + 8) * 4)), expected);
}

fn word_at(i: u32, seed: u32) -> u32 {
    let h = i.wrapping_mul(0x9E37_79B1).wrapping_add(seed);
    let h = (h ^ h >> 15).wrapping_mul(0x85EB_CA77);
    h ^ h >> 13
}

#[test]
#[ignore = "needs a GPU"]
fn a_pattern_is_filled_as_documented() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    for seed in [0, 1, u32::MAX] {
        let memory = gpu.upload(&stream, &bytes_of(&guarded(vec![0; N])));
        let args = [Arg::U32(N as u32), Arg::U32(seed), Arg::Write(memory, N * 4)];
        gpu.launch(&stream, &PATTERN, "fill_pattern", &args);
        let expected = guarded((0..N as u32).map(|i| word_at(i, seed)));
        assert_eq!(words_of(&gpu.download(&stream, memory, (N + 8) * 4)), expected);
    }
}

#[test]
#[ignore = "needs a GPU"]
fn the_first_wrong_place_is_found() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let seed = 77;
    let verify = |wrong: &[usize], seed_asked: u32| {
        let mut words: Vec<u32> = (0..N as u32).map(|i| word_at(i, seed)).collect();
        wrong.iter().for_each(|&place| words[place] ^= 1 << 9);
        let x = gpu.upload(&stream, &bytes_of(&words));
        let first_bad = gpu.upload(&stream, &bytes_of(&[u32::MAX]));
        let args = [Arg::U32(N as u32), Arg::U32(seed_asked), Arg::Read(x, N * 4), Arg::Write(first_bad, 4)];
        gpu.launch(&stream, &PATTERN, "verify_pattern", &args);
        words_of(&gpu.download(&stream, first_bad, 4))[0]
    };
    assert_eq!(verify(&[], seed), u32::MAX);
    assert_eq!(verify(&[N - 1], seed), N as u32 - 1);
    assert_eq!(verify(&[90_000, 54_321, 54_322, 99_999], seed), 54_321);
    assert_eq!(verify(&[], seed + 1), 0, "another seed is another pattern at every place");
}

#[test]
#[ignore = "needs a GPU"]
fn a_histogram_adds_to_its_bins() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let bytes: Vec<u8> = (0..N as u32).map(|i| (word_at(i, 5) >> 8) as u8 & 0x7F).collect();
    let mut expected: Vec<u32> = (0..256).collect();
    bytes.iter().for_each(|&byte| expected[usize::from(byte)] += 1);
    let x = gpu.upload(&stream, &bytes);
    let bins = gpu.upload(&stream, &bytes_of(&guarded(0..256)));
    let args = [Arg::U32(N as u32), Arg::Read(x, N), Arg::Write(bins, 1024)];
    gpu.launch(&stream, &HISTOGRAM, "histogram", &args);
    assert_eq!(words_of(&gpu.download(&stream, bins, 1024 + 32)), guarded(expected));
}

#[test]
#[ignore = "needs a GPU"]
fn a_busy_kernel_ends() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let out = gpu.upload(&stream, &bytes_of(&guarded([0])));
    gpu.launch(&stream, &BUSY, "burn", &[Arg::U64(1_000_000), Arg::Write(out, 4)]);
    assert_eq!(words_of(&gpu.download(&stream, out, 36)), guarded([1]));
}
