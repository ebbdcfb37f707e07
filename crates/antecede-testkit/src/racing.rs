//! A race on purpose.
#![expect(unsafe_code, reason = "a hand-over without its wait, to see that it is noticed")]

use antecede::{Stream, StreamBrand};

/// Writes on one stream, then on another, and nothing orders the two.
pub(crate) fn write_without_a_wait<S: StreamBrand, T: StreamBrand>(first: Stream<S>, second: Stream<T>) {
    let x = first.zeroed::<u8>(4).unwrap();
    // SAFETY: not true, which is the point. The device is a simulator: its operations run one at a time.
    let mut x = unsafe { second.take_unchecked(x) };
    second.fill(&mut x, 1).unwrap();
}
