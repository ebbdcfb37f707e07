// guarantee: the host waits for the stream that the buffer is ready on
use antecede::{Buffer, On, Result, Stream, Synced, streams};

streams! { Upload, Compute }

fn program(upload: Stream<Upload>, x: Buffer<f32, On<Upload>>) -> Result<Buffer<f32, Synced>> {
    Ok(upload.sync(x)?)
}

fn main() {}
