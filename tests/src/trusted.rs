//! The one module of this package that contains `unsafe` code.
#![expect(unsafe_code, reason = "tests show what happens without a wait, and make streams behind the library's back")]

use antecede::driver::{Driver, StreamId, StreamKind, StreamRef};
use antecede::{Device, Error, Lane, On, OnDevice, Stream};
use antecede_ipc::{Exported, Exporter, Failed};
use std::result::Result;

/// Takes buffers over without the event and the wait that `take` would submit, so that a test can see that something
/// notices. Only for devices whose memory holds bytes that no Rust reference is to: any on a GPU, and simulated ones,
/// where operations run one at a time. A reference to pinned memory may be used only while the stream is held that works
/// on it, or in the simulator between two calls.
pub fn take_without_waiting<S, D, B: OnDevice<D>>(_: Device<D>, stream: Stream<S, D>, buffers: B) -> B::With<On<S, D>> {
    // SAFETY: (1) not true, which is the point. What it breaks is the order of operations on plain bytes; see above.
    unsafe { stream.take_unchecked(buffers) }
}

/// Adopts a stream that was made by calls of the driver alone, for the length of `f`, and destroys it at once after
/// that. The driver is the one under the device's own, so that a trace does not see the stream's making either.
///
/// # Errors
/// What the calls and `f` return.
pub fn with_adopted_stream<D, R>(
    driver: &dyn Driver,
    device: Device<D>,
    kind: StreamKind,
    f: impl for<'id> FnOnce(Stream<Lane<'id>, D>) -> antecede::Result<R>,
) -> antecede::Result<R> {
    let id = StreamId::fresh();
    // SAFETY: (promise 1) the device exists; the context is closed below, once.
    let context = unsafe { driver.context_open(device.ordinal()) }.map_err(Error::from)?;
    // SAFETY: (1) the context is open.
    let handle = unsafe { driver.stream_create(&context, id, kind, 0, "foreign") }.map_err(Error::from)?;
    // SAFETY: (1) it is destroyed below, after this. (2, 3) nothing else is done with it.
    let result = unsafe { device.adopt(handle, f) };
    // SAFETY: (1, 5) made above; nothing is submitted to it after its adoption. The context was opened above, and the
    // device has it open too.
    unsafe {
        driver.stream_destroy(&StreamRef { id, context, handle, kind }).map_err(Error::from)?;
        driver.context_close(&context).map_err(Error::from)?;
    }
    result
}

/// Takes back what importers had that are gone.
///
/// # Errors
/// Those of [`Exporter::reclaim_after_exit`].
pub fn reclaim_after_exit<D: antecede::DeviceBrand, E: Exported>(
    exporter: &mut Exporter<D>,
    exported: E,
) -> Result<E::Back, Failed<E>> {
    // SAFETY: (1) the tests' importers start no process. (2) the simulator's work ends with its process; of a GPU it was
    // measured.
    unsafe { exporter.reclaim_after_exit(exported) }
}
