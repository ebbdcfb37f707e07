// guarantee: several streams are opened by a tuple of brands
use antecede::{Device, Result, streams};

streams! { Compute }

fn program(device: Device) -> Result<()> {
    device.streams::<(Compute,)>().map(drop)
}

fn main() {}
