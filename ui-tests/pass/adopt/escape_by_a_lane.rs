// guarantee: what belongs to an adopted stream ends with its adoption: also under another name
use antecede::{AnyStream, Device, Result};

/// # Safety
/// `handle` is a live stream.
unsafe fn program(device: Device, handle: u64, streams: &mut Vec<AnyStream>) -> Result<()> {
    unsafe { device.adopt(handle, |foreign| foreign.sync(()).map(drop).map_err(Into::into)) }
}

fn main() {}
