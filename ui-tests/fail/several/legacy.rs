// guarantee: a brand that stands for several devices names no stream: not the legacy one
// message: is not the brand of one device
use antecede::{Device, Result, Several};

fn program(devices: Vec<Device<Several<'_>>>) -> Result<()> {
    let stream = devices[0].legacy()?;
    let _ = stream.name();
    Ok(())
}

fn main() {}
