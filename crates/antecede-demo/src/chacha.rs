//! ChaCha20 (RFC 8439, section 2.4) on the host.

/// Blocks that are made at once. Every step is a loop over them, which the compiler turns into vector instructions.
const LANES: usize = 8;
const BLOCK: usize = 64;
/// "expand 32-byte k", the first four words of a block's state.
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
const COUNTER: usize = 12;

/// The states of [`LANES`] blocks: word by word, the same word of every block side by side.
type States = [[u32; LANES]; 16];
type Keystream = [u8; LANES * BLOCK];

/// `output[i] = input[i] ^ keystream[i]`, as far as both reach. Enciphers and deciphers.
///
/// `key_nonce` holds the key's 8 words and the nonce's 3, each read from its bytes in little-endian order. `counter` is
/// the block counter of the first 64 bytes; it wraps.
///
/// # Panics
/// If `key_nonce` has not 11 words.
pub fn xor(key_nonce: &[u32], counter: u32, input: &[u8], output: &mut [u8]) {
    let first = state(key_nonce, counter);
    let mut keystream = [0; LANES * BLOCK];
    for (group, (input, output)) in input.chunks(LANES * BLOCK).zip(output.chunks_mut(LANES * BLOCK)).enumerate() {
        make_keystream(&first, (group * LANES) as u32, &mut keystream);
        for ((output, input), key) in output.iter_mut().zip(input).zip(&keystream) {
            *output = input ^ key;
        }
    }
}

/// The state of a block before its rounds.
fn state(key_nonce: &[u32], counter: u32) -> [u32; 16] {
    assert_eq!(key_nonce.len(), 11, "the key has 8 words, the nonce 3");
    let mut state = [0; 16];
    state[..4].copy_from_slice(&CONSTANTS);
    state[4..COUNTER].copy_from_slice(&key_nonce[..8]);
    state[COUNTER] = counter;
    state[COUNTER + 1..].copy_from_slice(&key_nonce[8..]);
    state
}

/// The keystream of [`LANES`] blocks, `skip` blocks after the one that `first` is the state of.
fn make_keystream(first: &[u32; 16], skip: u32, keystream: &mut Keystream) {
    let mut start: States = std::array::from_fn(|word| [first[word]; LANES]);
    for (lane, counter) in start[COUNTER].iter_mut().enumerate() {
        *counter = counter.wrapping_add(skip).wrapping_add(lane as u32);
    }
    let mut states = start;
    for _ in 0..10 {
        for column in 0..4 {
            quarter_round(&mut states, [column, 4 + column, 8 + column, 12 + column]);
        }
        for diagonal in 0..4 {
            let [b, c, d] = [1, 2, 3].map(|row| 4 * row + (diagonal + row) % 4);
            quarter_round(&mut states, [diagonal, b, c, d]);
        }
    }
    for (word, (states, start)) in states.iter().zip(&start).enumerate() {
        for lane in 0..LANES {
            let at = lane * BLOCK + 4 * word;
            keystream[at..at + 4].copy_from_slice(&states[lane].wrapping_add(start[lane]).to_le_bytes());
        }
    }
}

#[inline(always)]
fn quarter_round(x: &mut States, [a, b, c, d]: [usize; 4]) {
    add_xor_rotate(x, a, b, d, 16);
    add_xor_rotate(x, c, d, b, 12);
    add_xor_rotate(x, a, b, d, 8);
    add_xor_rotate(x, c, d, b, 7);
}

/// `sum += term; mixed = (mixed ^ sum) <<< by`, in every lane.
#[inline(always)]
fn add_xor_rotate(x: &mut States, sum: usize, term: usize, mixed: usize, by: u32) {
    let term = x[term];
    for (sum, term) in x[sum].iter_mut().zip(term) {
        *sum = sum.wrapping_add(term);
    }
    let sum = x[sum];
    for (mixed, sum) in x[mixed].iter_mut().zip(sum) {
        *mixed = (*mixed ^ sum).rotate_left(by);
    }
}

#[cfg(test)]
mod tests {
    use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
    use chacha20::{ChaCha20, ChaCha20Legacy};

    use super::{BLOCK, LANES, xor};

    fn words(bytes: &[u8]) -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("whole words"))).collect()
    }

    fn crypt(key: &[u8; 32], nonce: &[u8; 12], counter: u32, input: &[u8]) -> Vec<u8> {
        let mut output = vec![0; input.len()];
        xor(&[words(key), words(nonce)].concat(), counter, input, &mut output);
        output
    }

    fn other(key: &[u8; 32], nonce: &[u8; 12], counter: u32, input: &[u8]) -> Vec<u8> {
        let mut output = input.to_vec();
        let mut cipher = ChaCha20::new(key.into(), nonce.into());
        cipher.seek(u64::from(counter) * BLOCK as u64);
        cipher.apply_keystream(&mut output);
        output
    }

    fn counting_key() -> [u8; 32] {
        std::array::from_fn(|i| i as u8)
    }

    /// RFC 8439, section 2.3.2: a block of the keystream.
    #[test]
    fn a_block_of_the_standard() {
        let nonce = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0];
        let expected = "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e\
                        d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e";
        assert_eq!(hex::encode(crypt(&counting_key(), &nonce, 1, &[0; 64])), expected);
    }

    /// RFC 8439, section 2.4.2: a text of two blocks, the second one not whole.
    #[test]
    fn a_text_of_the_standard() {
        let nonce = [0, 0, 0, 0, 0, 0, 0, 0x4a, 0, 0, 0, 0];
        let text = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
                     sunscreen would be it.";
        let expected = "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b\
                        f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8\
                        07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736\
                        5af90bbf74a35be6b40b8eedf2785e42874d";
        assert_eq!(hex::encode(crypt(&counting_key(), &nonce, 1, text)), expected);
    }

    /// RFC 8439, appendix A.1, vectors 1 to 5: keystreams of other keys, counters and nonces.
    #[test]
    fn keystreams_of_the_standards_appendix() {
        let last_key_bit = |byte: usize, value: u8| {
            let mut key = [0; 32];
            key[byte] = value;
            key
        };
        let vectors: [([u8; 32], [u8; 12], u32, &str); 5] = [
            ([0; 32], [0; 12], 0, "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"),
            ([0; 32], [0; 12], 1, "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"),
            (last_key_bit(31, 1), [0; 12], 1, "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"),
            (last_key_bit(1, 0xff), [0; 12], 2, "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"),
            (
                [0; 32],
                [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2],
                0,
                "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7",
            ),
        ];
        for (key, nonce, counter, expected) in vectors {
            assert_eq!(hex::encode(crypt(&key, &nonce, counter, &[0; 32])), expected, "counter {counter}");
        }
    }

    #[test]
    fn every_length_agrees_with_another_implementation() {
        let (key, nonce) = (counting_key(), std::array::from_fn(|i| 200 + i as u8));
        let input: Vec<u8> = (0..3 * LANES * BLOCK + 5).map(|i| (i * 7) as u8).collect();
        for len in 0..=input.len() {
            assert_eq!(crypt(&key, &nonce, 77, &input[..len]), other(&key, &nonce, 77, &input[..len]), "{len} bytes");
        }
    }

    /// The other implementation stops short of the last block. Its older form of the cipher does not: it counts in 64
    /// bits, in the place of the counter and the nonce's first word.
    #[test]
    fn the_counter_reaches_its_end_and_wraps() {
        let (key, nonce) = (counting_key(), [0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 3, 3]);
        let last = crypt(&key, &nonce, u32::MAX, &[0; 2 * BLOCK]);
        let mut expected = [0; BLOCK];
        let mut cipher = ChaCha20Legacy::new(&key.into(), &[3; 8].into());
        cipher.seek(u64::from(u32::MAX) * BLOCK as u64);
        cipher.apply_keystream(&mut expected);
        assert_eq!(last[..BLOCK], expected);
        assert_eq!(last[BLOCK..], other(&key, &nonce, 0, &[0; BLOCK]));
    }

    #[test]
    fn twice_is_nothing() {
        let (key, nonce) = (counting_key(), [9; 12]);
        let input: Vec<u8> = (0..1000).map(|i| i as u8).collect();
        assert_eq!(crypt(&key, &nonce, 5, &crypt(&key, &nonce, 5, &input)), input);
    }
}
