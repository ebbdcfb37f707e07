// guarantee: a stream that is known at run time only is no proof
// message: its stream is known at run time only
use antecede::{Buffer, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32>) -> Result<()> {
    compute.fill(&mut x, 1.0)
}

fn main() {}
