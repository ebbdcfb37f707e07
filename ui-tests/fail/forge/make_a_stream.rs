// guarantee: only a device makes streams
// message: cannot construct `Stream<_, _>` with struct literal syntax due to private fields
use antecede::{Device, Result, Stream, streams};

streams! { Compute }

fn stream(device: Device) -> Result<Stream<Compute>> {
    Ok(Stream { core: device })
}

fn main() {}
