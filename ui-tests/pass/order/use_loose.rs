// guarantee: a stream that is known at run time only is no proof
use antecede::{Buffer, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32>) -> Result<()> {
    let mut x = compute.take(x)?;
    compute.fill(&mut x, 1.0)
}

fn main() {}
