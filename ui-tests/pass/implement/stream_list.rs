// guarantee: streams come from their device
use antecede::{Device, Primary, Result, streams};

streams! { Upload, Compute }

type Pair = (Upload, Compute);

fn program(device: Device<Primary>) -> Result<()> {
    device.streams::<Pair>().map(drop)
}

fn main() {}
