// guarantee: nothing of a record's contents can be used
// message: no method named `to_vec` found
use antecede::{Buffer, Recorded, Result};

fn program(x: Recorded<Buffer<f32>>) -> Result<Vec<f32>> {
    x.to_vec()
}

fn main() {}
