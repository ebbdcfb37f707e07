// guarantee: a brand on one device is one stream
// message: expected `Result<Stream<Upload>, Error>`, found `Result<Stream<Compute>, Error>`
use antecede::{Device, Result, Stream, streams};

streams! { Upload, Compute }

fn stream(device: Device) -> Result<Stream<Upload>> {
    device.stream::<Compute>()
}

fn main() {}
