//! The cipher against a plain host version, which is checked against the standard's own example.

use crate::common::kernels::{Arg, CHACHA20};
use crate::common::{Gpu, bytes_of};

/// Key and nonce of the example in RFC 8439, section 2.4.2, as little-endian words.
fn example_key_nonce() -> [u32; 11] {
    let mut bytes: [u8; 44] = std::array::from_fn(|i| i as u8);
    bytes[32..].copy_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0x4A, 0, 0, 0, 0]);
    std::array::from_fn(|i| u32::from_le_bytes(std::array::from_fn(|j| bytes[i * 4 + j])))
}

fn quarter(s: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    for (left, right) in [(16, 12), (8, 7)] {
        s[a] = s[a].wrapping_add(s[b]);
        s[d] = (s[d] ^ s[a]).rotate_left(left);
        s[c] = s[c].wrapping_add(s[d]);
        s[b] = (s[b] ^ s[c]).rotate_left(right);
    }
}

fn keystream(key_nonce: &[u32; 11], counter: u32) -> Vec<u8> {
    let mut start = [0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574, 0, 0, 0, 0, 0, 0, 0, 0, counter, 0, 0, 0];
    start[4..12].copy_from_slice(&key_nonce[..8]);
    start[13..].copy_from_slice(&key_nonce[8..]);
    let mut s = start;
    for _ in 0..10 {
        for (a, b, c, d) in [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)] {
            quarter(&mut s, a, b, c, d);
        }
        for (a, b, c, d) in [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)] {
            quarter(&mut s, a, b, c, d);
        }
    }
    s.iter().zip(start).flat_map(|(word, start)| word.wrapping_add(start).to_le_bytes()).collect()
}

fn on_the_host(key_nonce: &[u32; 11], counter: u32, text: &[u8]) -> Vec<u8> {
    let block = |(i, chunk): (usize, &[u8])| -> Vec<u8> {
        chunk.iter().zip(keystream(key_nonce, counter.wrapping_add(i as u32))).map(|(byte, key)| byte ^ key).collect()
    };
    text.chunks(64).enumerate().flat_map(block).collect()
}

#[test]
fn the_host_version_gives_the_standards_example() {
    let text = b"Ladies and Gentlemen of the class of '99: \
        If I could offer you only one tip for the future, sunscreen would be it.";
    let expected = "\
        6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b\
        f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8\
        07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736\
        5af90bbf74a35be6b40b8eedf2785e42874d";
    let cipher: String = on_the_host(&example_key_nonce(), 1, text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(cipher, expected);
}

#[test]
#[ignore = "needs a GPU"]
fn every_length_and_alignment_matches_the_host() {
    let gpu = Gpu::open();
    let stream = gpu.non_blocking();
    let key_nonce = example_key_nonce();
    let key = gpu.upload(&stream, &bytes_of(&key_nonce));
    for (n, skip_in, skip_out, counter) in [
        (1, 0, 0, 0),
        (63, 0, 0, 1),
        (64, 0, 0, 1),
        (65, 0, 0, 1),
        (114, 0, 0, 1),
        (128, 1, 0, 1),
        (128, 0, 1, 1),
        (200, 7, 7, 1),
        (200, 8, 16, 1),
        (100_003, 0, 0, 1),
        (100_003, 3, 5, 1),
        (1 << 16, 16, 32, u32::MAX - 5),
    ] {
        let text: Vec<u8> = (0..skip_in + n).map(|i| (i * 131 % 256) as u8).collect();
        let from = gpu.upload(&stream, &text).offset(skip_in);
        let room = skip_out + n + 64;
        let to = gpu.upload(&stream, &vec![0xEE; room]);
        let out = to.offset(skip_out);
        let args = [Arg::U32(n as u32), Arg::Read(key, 44), Arg::U32(counter), Arg::Read(from, n), Arg::Write(out, n)];
        gpu.launch(&stream, &CHACHA20, "chacha20", &args);
        let mut expected = vec![0xEE; room];
        expected[skip_out..skip_out + n].copy_from_slice(&on_the_host(&key_nonce, counter, &text[skip_in..]));
        let found = gpu.download(&stream, to, room);
        assert!(found == expected, "n {n}, in + {skip_in}, out + {skip_out}, counter {counter}");
    }
}
