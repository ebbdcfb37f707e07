// guarantee: what belongs to an adopted stream ends with its adoption: also under another name
// message: borrowed data escapes outside of closure
use antecede::{AnyStream, Device, Result};

/// # Safety
/// `handle` is a live stream.
unsafe fn program(device: Device, handle: u64, streams: &mut Vec<AnyStream>) -> Result<()> {
    unsafe { device.adopt(handle, |foreign| Ok(streams.push(foreign.any()))) }
}

fn main() {}
