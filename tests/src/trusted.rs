//! The one module of this package that contains `unsafe` code.
#![expect(unsafe_code, reason = "tests show what happens without a wait")]

use antecede::{Device, On, OnDevice, Stream};

/// Takes buffers over without the event and the wait that `take` would submit, so that a test can see that something
/// notices. Only for devices whose memory holds bytes that no Rust reference is to: any on a GPU, and simulated ones,
/// where operations run one at a time.
pub fn take_without_waiting<S, D, B: OnDevice<D>>(_: Device<D>, stream: Stream<S, D>, buffers: B) -> B::With<On<S, D>> {
    // SAFETY: (1) not true, which is the point. What it breaks is the order of operations on plain bytes of device
    // memory; see above.
    unsafe { stream.take_unchecked(buffers) }
}
