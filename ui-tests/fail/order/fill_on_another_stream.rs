// guarantee: an operation is accepted only on the stream that the buffer is ready on
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    compute.fill(&mut x, 1.0)
}

fn main() {}
