// guarantee: nothing of a record's contents can be used
use antecede::{Buffer, Recorded, Result};

fn program(x: Recorded<Buffer<f32>>) -> Result<Vec<f32>> {
    let x = x.synchronize()?;
    x.to_vec()
}

fn main() {}
