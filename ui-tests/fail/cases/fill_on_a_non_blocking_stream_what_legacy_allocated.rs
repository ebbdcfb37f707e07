// guarantee: the legacy default stream gives a non-blocking stream no order
// message: this buffer is not ready on stream `Compute`
// case: SEED-2
use antecede::{Buffer, Legacy, On, Result, Stream, streams};

streams! { Compute }

fn program(legacy: Stream<Legacy>, compute: Stream<Compute>) -> Result<Buffer<f32, On<Compute>>> {
    let mut x = legacy.alloc(1 << 20)?;
    compute.fill(&mut x, 1.0)?;
    compute.take(x).map_err(Into::into)
}

fn main() {}
