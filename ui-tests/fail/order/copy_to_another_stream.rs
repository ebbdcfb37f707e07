// guarantee: the target of a copy is ready on the copying stream
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Compute>>, mut y: Buffer<f32, On<Upload>>) -> Result<()> {
    compute.copy(&x, &mut y[..8])
}

fn main() {}
