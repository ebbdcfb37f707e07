// guarantee: a buffer with the host is ready on no stream
use antecede::{Buffer, Result, Stream, Synced, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, Synced>) -> Result<Buffer<f32, Synced>> {
    let x = x.on(compute);
    Ok(compute.sync(x)?)
}

fn main() {}
