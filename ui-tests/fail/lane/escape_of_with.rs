// guarantee: a brand of `with` ends with the closure
// message: lifetime may not live long enough
use antecede::{AnyStream, Result};

fn program(stream: AnyStream) -> Result<usize> {
    let x = stream.with(|lane| lane.zeroed::<f32>(8))?;
    Ok(x.len())
}

fn main() {}
