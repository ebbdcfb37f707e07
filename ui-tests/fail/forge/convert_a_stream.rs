// guarantee: a brand on one device is one stream
// message: expected `Stream<Upload>`, found `Stream<Compute>`
use antecede::{Device, Result, Stream, streams};

streams! { Upload, Compute }

fn stream(device: Device) -> Result<Stream<Upload>> {
    device.stream::<Compute>()
}

fn main() {}
