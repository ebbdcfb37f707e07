// guarantee: only a brand names a stream
// message: `f32` is not the brand of a stream
use antecede::{Device, Result, streams};

streams! { Compute }

fn program(device: Device) -> Result<String> {
    Ok(device.stream::<f32>()?.name().to_string())
}

fn main() {}
