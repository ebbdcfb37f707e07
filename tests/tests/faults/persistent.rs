//! Trying again.

use antecede::{Device, DeviceBrand, Error, Failed, Result};
use antecede_tests::{A, B};

/// As often as a single fault could need it.
const ATTEMPTS: usize = 3;

/// Tries an operation again that fails, unless the device is poisoned.
pub(crate) fn again<R>(mut operation: impl FnMut() -> Result<R>) -> Result<R> {
    let mut last = operation();
    for _ in 1..ATTEMPTS {
        if !matches!(last, Err(Error::Driver(_))) {
            break;
        }
        last = operation();
    }
    last
}

/// The same with the buffers that a failed hand-over gives back.
pub(crate) fn again_with<B, R>(mut buffers: B, mut operation: impl FnMut(B) -> Result<R, Failed<B>>) -> Result<R> {
    for _ in 1..ATTEMPTS {
        match operation(buffers) {
            Ok(result) => return Ok(result),
            Err(Failed { error: Error::Driver(_), buffers: back }) => buffers = back,
            Err(failed) => return Err(failed.error),
        }
    }
    Ok(operation(buffers)?)
}

/// Whether the device still does what devices do.
pub(crate) fn use_again<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = a.zeroed::<u32>(4)?;
    a.fill(&mut x[1..], 1)?;
    let x = b.take(x)?;
    assert_eq!(b.download(&x)?, [0, 1, 1, 1]);
    let host = b.sync(device.pinned::<u32>(4)?.on(b))?;
    assert_eq!(host.as_slice().len(), 4);
    Ok(())
}
