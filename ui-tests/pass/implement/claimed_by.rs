// guarantee: the bounds that carry messages are satisfied by nothing
use antecede::{Buffer, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32>) -> Result<()> {
    let mut x = compute.claim(x)?;
    compute.fill(&mut x, 1.0)
}

fn main() {}
