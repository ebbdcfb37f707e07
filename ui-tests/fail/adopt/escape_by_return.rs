// guarantee: what belongs to an adopted stream ends with its adoption
// message: lifetime may not live long enough
use antecede::{Device, Result};

/// # Safety
/// `handle` is a live stream.
unsafe fn program(device: Device, handle: u64) -> Result<usize> {
    let x = unsafe { device.adopt(handle, |foreign| Ok(foreign)) }?;
    Ok(size_of_val(&x))
}

fn main() {}
