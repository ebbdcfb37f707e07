// guarantee: a thread's own stream is no reader of what other threads take back
use antecede::{Buffer, Legacy, PerThread, Result, Shared, Stream};

fn program(mine: Stream<PerThread>, legacy: Stream<Legacy>, x: Shared<Buffer<f32>>) -> Result<()> {
    let _ = mine;
    legacy.lease(&x).map(drop)
}

fn main() {}
