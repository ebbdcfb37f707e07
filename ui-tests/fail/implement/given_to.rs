// guarantee: the bounds that carry messages are satisfied by nothing
// message: sealed
use antecede::never::{GivenTo, WithHost};
use antecede::{Buffer, Result, Stream, Synced, streams};

streams! { Compute }

impl GivenTo<Compute> for WithHost {}

fn program(compute: Stream<Compute>, mut x: Buffer<f32, Synced>) -> Result<()> {
    compute.fill(&mut x, 1.0)
}

fn main() {}
