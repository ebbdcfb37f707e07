//! A read without a wait.

use antecede::{Buffer, On, Result, Stream};

/// Reads `x` on another stream *without* making it wait for the one that `x` is on.
///
/// This breaks the promise that [`Stream::take_unchecked`] asks for, and is here to show the race that follows. Safe to
/// call all the same, as the race goes no further than the bytes that are returned: a copy from device memory into this
/// library's own staging memory, unordered with earlier writes of plain words. When this returns, everything is ordered
/// again: the producer is done, and only then is `x` freed.
///
/// # Errors
/// What the driver returns. If the producer cannot be waited for, `x` is leaked.
pub(crate) fn read_without_waiting<P, C, D>(
    producer: Stream<P, D>,
    consumer: Stream<C, D>,
    x: Buffer<u32, On<P, D>>,
) -> Result<Vec<u32>> {
    // SAFETY: (1) does NOT hold of the writes in flight on `producer`; they are ordered before anything but the one
    // copy below, which may see any bytes: every pattern is a `u32`, and its target is nobody else's.
    let x = unsafe { consumer.take_unchecked(x) };
    let seen = consumer.download(&x);
    match producer.sync(()) {
        Ok(()) => seen,
        Err(failed) => {
            std::mem::forget(x);
            Err(failed.error)
        }
    }
}
