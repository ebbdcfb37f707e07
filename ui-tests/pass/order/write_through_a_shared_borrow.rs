// guarantee: what an operation writes is borrowed exclusively
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    compute.fill(&mut x, 1.0)
}

fn main() {}
