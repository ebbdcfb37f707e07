// guarantee: only owning values are handed over
// message: `&mut View<f32, On<Upload>>` is not a buffer or a batch of buffers
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    let half = compute.take(&mut x[..4])?;
    compute.fill(half, 1.0)
}

fn main() {}
