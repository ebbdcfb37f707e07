// guarantee: only a brand names a stream
use antecede::{Device, Result, streams};

streams! { Compute }

fn program(device: Device) -> Result<&'static str> {
    Ok(device.stream::<Compute>()?.name())
}

fn main() {}
