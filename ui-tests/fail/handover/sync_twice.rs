// guarantee: a buffer with the host is ready on no stream
// message: this buffer is with the host; give it to stream `Compute` first
use antecede::{Buffer, Result, Stream, Synced, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, Synced>) -> Result<Buffer<f32, Synced>> {
    Ok(compute.sync(x)?)
}

fn main() {}
