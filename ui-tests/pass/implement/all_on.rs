// guarantee: no implementation of ours makes a batch ready
use antecede::{Buffer, On, Result, Stream, Synced, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<Buffer<f32, Synced>> {
    let x = compute.take(x)?;
    Ok(compute.sync(x)?)
}

fn main() {}
