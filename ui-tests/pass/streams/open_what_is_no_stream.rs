// guarantee: only a brand names a stream
use antecede::{Device, Result, streams};

streams! { Compute }

fn program(device: Device) -> Result<String> {
    Ok(device.stream::<Compute>()?.name().to_string())
}

fn main() {}
