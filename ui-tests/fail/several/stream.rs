// guarantee: a brand that stands for several devices names no stream
// message: is not the brand of one device
use antecede::{Device, Result, Several, streams};

streams! { Compute }

fn program(devices: Vec<Device<Several<'_>>>) -> Result<()> {
    let stream = devices[0].stream::<Compute>()?;
    let _ = stream.name();
    Ok(())
}

fn main() {}
