// guarantee: generic code says that its device is one
use antecede::{Device, DeviceBrand, Result, Stream, streams};

streams! { Compute }

fn compute<D: DeviceBrand>(device: Device<D>) -> Result<Stream<Compute, D>> {
    device.stream()
}

fn main() {}
