// guarantee: the bounds that carry messages are satisfied by nothing
use antecede::{Buffer, Result, Stream, Synced, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, Synced>) -> Result<()> {
    let mut x = x.on(compute);
    compute.fill(&mut x, 1.0)
}

fn main() {}
