// guarantee: a fill with zeros is accepted only on the stream that the buffer is ready on
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    compute.clear(&mut x)
}

fn main() {}
