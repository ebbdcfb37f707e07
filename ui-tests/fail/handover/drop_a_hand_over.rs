// guarantee: an operation that gives a buffer back says so when it is not used
// message: an operation that takes a buffer gives it back under its new type
#![deny(unused_must_use)]
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    compute.take(x)?;
    Ok(())
}

fn main() {}
