// guarantee: a fill repeats 1, 2 or 4 bytes
// message: a fill repeats a value of 1, 2 or 4 bytes; `f64` is none
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f64, On<Compute>>) -> Result<()> {
    compute.fill(&mut x, 0.0)
}

fn main() {}
