// guarantee: only owning values are handed over
use antecede::{Buffer, Result, Stream, streams};

streams! { Compute }

struct Engine {
    x: Buffer<f32>,
}

fn step(engine: &mut Engine, compute: Stream<Compute>) -> Result<()> {
    let mut x = compute.take_from(&mut engine.x)?;
    compute.fill(&mut x, 1.0)?;
    engine.x = x.loose();
    Ok(())
}

fn main() {}
