// guarantee: a brand of `with` ends with the closure
use antecede::{AnyStream, Result};

fn program(stream: AnyStream) -> Result<usize> {
    let x = stream.with(|lane| lane.zeroed::<f32>(8).map(|x| x.loose()))?;
    Ok(x.len())
}

fn main() {}
