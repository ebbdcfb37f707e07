// guarantee: a hand-over covers the buffers that it was given, and no others
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

type Uploaded = Buffer<f32, On<Upload>>;

fn program(compute: Stream<Compute>, a: Uploaded, b: Uploaded, c: Uploaded) -> Result<()> {
    let (a, mut b) = compute.take((a, b))?;
    compute.copy(&a, &mut b)?;
    compute.copy(&c, &mut b)
}

fn main() {}
