// guarantee: the bounds that carry messages are satisfied by nothing
// message: sealed
use antecede::never::{ClaimedBy, StreamAtRunTime};
use antecede::{Buffer, Result, Stream, streams};

streams! { Compute }

impl ClaimedBy<Compute> for StreamAtRunTime {}

fn program(compute: Stream<Compute>, mut x: Buffer<f32>) -> Result<()> {
    compute.fill(&mut x, 1.0)
}

fn main() {}
