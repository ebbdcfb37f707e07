// guarantee: no implementation of ours makes a buffer ready
use antecede::{Buffer, Result, Stream, Synced, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, Synced>) -> Result<()> {
    let mut x = x.on(compute);
    compute.fill(&mut x, 1.0)
}

fn main() {}
