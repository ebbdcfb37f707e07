// guarantee: a hand-over changes the type, so it needs a new variable
// message: expected `Buffer<f32, On<Upload>>`, found `Buffer<f32, On<Compute>>`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    x = compute.take(x)?;
    drop(x);
    Ok(())
}

fn main() {}
