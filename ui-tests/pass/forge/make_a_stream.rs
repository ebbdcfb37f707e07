// guarantee: only a device makes streams
#![allow(unreachable_code)]
use antecede::{Device, Result, Stream, streams};

streams! { Compute }

fn stream(device: Device) -> Result<Stream<Compute>> {
    device.stream()
}

fn main() {}
