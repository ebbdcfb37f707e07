//! Which bytes are a frame: the tables of the protocol once more, without the code that is tested.

use std::ops::Range;

/// A frame's kind by its number, and how many descriptors belong to it; `None` if the bytes are no frame.
#[expect(clippy::single_range_in_vec_init, reason = "lists of ranges, of which some have one")]
pub(super) fn judge(bytes: &[u8]) -> Option<(u8, usize)> {
    let number = |range: Range<usize>| {
        let field = bytes.get(range)?;
        (field.len() <= 16).then(|| field.iter().rev().fold(0_u128, |number, byte| number << 8 | u128::from(*byte)))
    };
    let kind = *bytes.get(6)?;
    let (length, zeros): (usize, &[Range<usize>]) = match kind {
        1 | 2 => (56, &[49..56]),
        3 => (32, &[]),
        4 => (56, &[18..24]),
        5 => (288, &[35..36, 44..48, 56..64]),
        6 => (40, &[33..40]),
        _ => return None,
    };
    let of_this_version = number(4..6)? == 1 || kind == 4;
    let header = bytes.starts_with(b"AnIp") && of_this_version && number(8..12)? == length as u128;
    let zero = zeros.iter().cloned().chain([7..8, 12..16]).flatten().all(|at| bytes.get(at) == Some(&0));
    if !header || !zero || bytes.len() != length {
        return None;
    }
    let valid = match kind {
        1 | 2 => bytes[48] <= 1,
        4 => {
            let (expected, found) = (number(24..40)?, number(40..56)?);
            match number(16..18)? {
                1 => expected.max(found) < 1 << 16,
                2 => true,
                3 => (expected, found) == (0, 1),
                4 => (expected, found) == (0, 0),
                5 => expected.min(found) >= 1 && expected.max(found) <= 6,
                _ => false,
            }
        }
        5 => is_offer(bytes, &number)?,
        6 => matches!(bytes[32], 1 | 2),
        _ => true,
    };
    valid.then(|| (kind, usize::from(kind == 5 && bytes[33] & 2 != 0)))
}

fn is_offer(bytes: &[u8], number: &dyn Fn(Range<usize>) -> Option<u128>) -> Option<bool> {
    let (flags, name_length) = (bytes[33], usize::from(bytes[34]));
    let (size, alignment, length) = (number(36..40)?, number(40..44)?, number(48..56)?);
    let elements =
        size > 0 && alignment.count_ones() == 1 && size % alignment == 0 && (1..1 << 63).contains(&(size * length));
    let event = flags & 1 != 0 || bytes[160..224].iter().all(|byte| *byte == 0);
    let (name, padding) = bytes[224..288].split_at_checked(name_length)?;
    let text = std::str::from_utf8(name).is_ok_and(|text| !text.is_empty() && !text.chars().any(char::is_control));
    let choices = matches!(bytes[32], 1 | 2) && flags <= 3;
    Some(choices && elements && event && text && padding.iter().all(|byte| *byte == 0))
}
