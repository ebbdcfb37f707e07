// guarantee: a fill repeats 1, 2 or 4 bytes
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f64, On<Compute>>) -> Result<()> {
    compute.clear(&mut x)
}

fn main() {}
