// guarantee: a hand-over changes the type, so it needs a new variable
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let x = compute.take(x)?;
    drop(x);
    Ok(())
}

fn main() {}
