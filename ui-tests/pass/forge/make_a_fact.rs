// guarantee: only the library changes a state
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<Buffer<f32, On<Compute>>> {
    Ok(compute.take(x)?)
}

fn main() {}
