// guarantee: a state of ours is a state of the library's
// message: sealed
use antecede::{Primary, ReadyOn, Result, Stream, View, streams};

streams! { Compute }

struct Always;

impl ReadyOn<Compute, Primary> for Always {}

fn program(compute: Stream<Compute>, x: &mut View<f32, Always>) -> Result<()> {
    compute.fill(x, 1.0)
}

fn main() {}
