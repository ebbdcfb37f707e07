// guarantee: no two values own the same memory
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Compute>>) -> Result<Buffer<f32, On<Compute>>> {
    let mut y = compute.alloc(x.len())?;
    compute.copy(&x, &mut y)?;
    Ok(y)
}

fn main() {}
