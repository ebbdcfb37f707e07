// guarantee: a synced buffer is given to a stream before work on it
// message: this buffer is with the host; give it to stream `Compute` first
use antecede::{Buffer, Result, Stream, Synced, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, Synced>) -> Result<()> {
    compute.fill(&mut x, 1.0)
}

fn main() {}
