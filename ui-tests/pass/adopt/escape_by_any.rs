// guarantee: what belongs to an adopted stream ends with its adoption: by forgetting its brand
use antecede::{Device, Result};

/// # Safety
/// `handle` is a live stream.
unsafe fn program(device: Device, handle: u64) -> Result<usize> {
    let x = unsafe { device.adopt(handle, |foreign| Ok(foreign.name())) }?;
    Ok(size_of_val(&x))
}

fn main() {}
