// guarantee: an event is recorded on the stream that the buffers are ready on
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Recorded, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<Recorded<Buffer<f32>>> {
    Ok(compute.record(x)?)
}

fn main() {}
