// guarantee: what is ready on a stream without a name does not leave the use of its brand
use antecede::{AnyStream, Buffer, Result};

fn program(stream: AnyStream) -> Result<Buffer<f32>> {
    let x: Result<_> = stream.with(|lane| Ok(lane.zeroed::<f32>(8)?.loose()));
    x
}

fn main() {}
