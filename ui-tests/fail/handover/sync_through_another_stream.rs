// guarantee: the host waits for the stream that the buffer is ready on
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Result, Stream, Synced, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<Buffer<f32, Synced>> {
    Ok(compute.sync(x)?)
}

fn main() {}
