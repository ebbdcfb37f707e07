// guarantee: an operation that gives a buffer back says so when it is not used
#![deny(unused_must_use)]
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut x = compute.take(x)?;
    compute.fill(&mut x, 1.0)
}

fn main() {}
