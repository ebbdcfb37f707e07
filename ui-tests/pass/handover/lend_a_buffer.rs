// guarantee: only owning values are handed over
use antecede::{Buffer, Result, Stream, streams};

streams! { Compute }

struct Engine {
    x: Buffer<f32>,
}

fn step(engine: &mut Engine, compute: Stream<Compute>) -> Result<()> {
    let x = compute.take_from(&mut engine.x)?;
    compute.sync(x).map(drop).map_err(Into::into)
}

fn main() {}
