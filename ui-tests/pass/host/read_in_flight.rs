// guarantee: the host reads only what it has seen complete
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Compute>>) -> Result<Vec<f32>> {
    let x = compute.sync(x)?;
    x.to_vec()
}

fn main() {}
