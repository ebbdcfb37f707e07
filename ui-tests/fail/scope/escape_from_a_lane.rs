// guarantee: what is ready on a stream without a name does not leave the use of its brand
// message: lifetime may not live long enough
use antecede::{AnyStream, Buffer, Result};

fn program(stream: AnyStream) -> Result<Buffer<f32>> {
    let x = stream.with(|lane| lane.zeroed::<f32>(8))?;
    Ok(x.loose())
}

fn main() {}
