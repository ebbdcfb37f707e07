// guarantee: the host reads only what it has seen complete
use antecede::{Buffer, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32>) -> Result<Vec<f32>> {
    let x = compute.take(x)?;
    let x = compute.sync(x)?;
    x.to_vec()
}

fn main() {}
