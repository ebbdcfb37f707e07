//! Streams that other code made.

#![expect(unsafe_code, reason = "adopting a stream is a promise about other code")]

use antecede::driver::StreamKind;
use antecede::{Device, Lane, Result, Stream};
use antecede_sim::Sim;

/// Adopts a stream that other code has made on the device of that ordinal, for the length of `f`; the other code destroys
/// it afterwards. It may be under capture: then it is not adopted.
pub(crate) fn adopt<D, R>(
    device: Device<D>,
    sim: &Sim,
    (ordinal, kind, captured): (u32, StreamKind, bool),
    f: impl for<'id> FnOnce(Stream<Lane<'id>, D>) -> Result<R>,
) -> Result<R> {
    let theirs = sim.foreign_stream(ordinal, kind);
    if captured {
        sim.begin_capture(ordinal, theirs);
    }
    // SAFETY: (1) destroyed below. (2) a capture that was begun above makes it an error. (3) nothing else knows it.
    let result = unsafe { device.adopt(theirs, f) };
    if captured {
        sim.end_capture(ordinal, theirs);
    }
    sim.foreign_destroy(theirs);
    result
}
