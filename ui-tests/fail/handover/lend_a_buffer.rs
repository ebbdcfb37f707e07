// guarantee: only owning values are handed over
// message: `&mut Buffer<f32>` is not a buffer or a batch of buffers
use antecede::{Buffer, Result, Stream, streams};

streams! { Compute }

struct Engine {
    x: Buffer<f32>,
}

fn step(engine: &mut Engine, compute: Stream<Compute>) -> Result<()> {
    let x = compute.take(&mut engine.x)?;
    compute.sync(x).map(drop).map_err(Into::into)
}

fn main() {}
