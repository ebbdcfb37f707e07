// guarantee: no implementation of ours makes a batch ready
// message: conflicting implementations
use antecede::{AllOn, Buffer, On, Primary, Result, Stream, Synced, streams};

streams! { Upload, Compute }

impl AllOn<Compute, Primary> for Buffer<f32, On<Upload>> {}

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<Buffer<f32, Synced>> {
    Ok(compute.sync(x)?)
}

fn main() {}
