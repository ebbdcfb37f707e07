// guarantee: generic code says that its device is one
// message: `D` is not the brand of one device
use antecede::{Device, Result, Stream, streams};

streams! { Compute }

fn compute<D>(device: Device<D>) -> Result<Stream<Compute, D>> {
    device.stream()
}

fn main() {}
