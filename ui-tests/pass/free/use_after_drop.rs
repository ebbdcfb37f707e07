// guarantee: nothing uses memory after its free
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    compute.fill(&mut x, 1.0)?;
    drop(x);
    Ok(())
}

fn main() {}
