// guarantee: the target of a copy is ready on the copying stream
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Compute>>, y: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut y = compute.take(y)?;
    compute.copy(&x, &mut y[..8])
}

fn main() {}
