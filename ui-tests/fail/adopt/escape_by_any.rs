// guarantee: what belongs to an adopted stream ends with its adoption: by forgetting its brand
// message: borrowed data escapes outside of closure
use antecede::{Device, Result};

/// # Safety
/// `handle` is a live stream.
unsafe fn program(device: Device, handle: u64) -> Result<usize> {
    let x = unsafe { device.adopt(handle, |foreign| Ok(foreign.any())) }?;
    Ok(size_of_val(&x))
}

fn main() {}
