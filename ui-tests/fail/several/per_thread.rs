// guarantee: a brand that stands for several devices names no stream: not the per-thread one
// message: is not the brand of one device
use antecede::{Device, Result, Several};

fn program(devices: Vec<Device<Several<'_>>>) -> Result<()> {
    let stream = devices[0].per_thread()?;
    let _ = stream.name();
    Ok(())
}

fn main() {}
