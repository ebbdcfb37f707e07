// guarantee: a brand that stands for several devices names no stream: not the legacy one
use antecede::{Device, Result, Several};

fn program(devices: Vec<Device<Several<'_>>>) -> Result<()> {
    let stream = devices[0].any_stream()?;
    let _ = stream.name();
    Ok(())
}

fn main() {}
