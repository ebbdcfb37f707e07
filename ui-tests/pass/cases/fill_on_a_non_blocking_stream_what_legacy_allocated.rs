// guarantee: the legacy default stream gives a non-blocking stream no order
// case: SEED-2
use antecede::{Buffer, Legacy, On, Result, Stream, streams};

streams! { Compute }

fn program(legacy: Stream<Legacy>, compute: Stream<Compute>) -> Result<Buffer<f32, On<Compute>>> {
    let _ = legacy;
    let mut x = compute.alloc(1 << 20)?;
    compute.fill(&mut x, 1.0)?;
    Ok(x)
}

fn main() {}
