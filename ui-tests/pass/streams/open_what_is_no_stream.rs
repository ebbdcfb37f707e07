// guarantee: only a brand names a stream
use antecede::{Device, Result, StreamName, streams};

streams! { Compute }

fn program(device: Device) -> Result<StreamName> {
    Ok(device.stream::<Compute>()?.name())
}

fn main() {}
