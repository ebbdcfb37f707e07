// guarantee: that an adopted stream lives is for the caller to promise
// message: call to unsafe function
use antecede::{Device, Result};

fn program(device: Device, handle: u64) -> Result<()> {
    device.adopt(handle, |foreign| foreign.zeroed::<f32>(8).map(drop))
}

fn main() {}
