// guarantee: that an adopted stream lives is for the caller to promise
use antecede::{Device, Result};

/// # Safety
/// `handle` is a live stream.
unsafe fn program(device: Device, handle: u64) -> Result<()> {
    unsafe { device.adopt(handle, |foreign| foreign.zeroed::<f32>(8).map(drop)) }
}

fn main() {}
