// guarantee: only a device makes streams
// message: cannot construct `Stream<_, _>` with struct literal syntax due to private fields
#![allow(unreachable_code)]
use antecede::{Device, Result, Stream, streams};

streams! { Compute }

fn stream(device: Device) -> Result<Stream<Compute>> {
    let _ = device;
    Ok(Stream { core: todo!() })
}

fn main() {}
