// guarantee: a brand on one device is one stream
use antecede::{Device, Result, Stream, streams};

streams! { Upload, Compute }

fn stream(device: Device) -> Result<Stream<Upload>> {
    device.stream::<Upload>()
}

fn main() {}
