// guarantee: no implementation of ours makes a buffer ready
// message: conflicting implementations
use antecede::{Buffer, Primary, ReadyOn, Result, Stream, Synced, streams};

streams! { Compute }

impl ReadyOn<Compute, Primary> for Synced {}

fn program(compute: Stream<Compute>, mut x: Buffer<f32, Synced>) -> Result<()> {
    compute.fill(&mut x, 1.0)
}

fn main() {}
