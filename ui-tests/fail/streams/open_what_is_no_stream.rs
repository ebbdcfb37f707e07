// guarantee: only a brand names a stream
// message: `f32` is not the brand of a stream
use antecede::{Device, Result, StreamName, streams};

streams! { Compute }

fn program(device: Device) -> Result<StreamName> {
    Ok(device.stream::<f32>()?.name())
}

fn main() {}
