// guarantee: a thread's own stream is no reader of what other threads share
// message: cannot be shared between threads safely
use antecede::{Buffer, PerThread, Result, Shared, Stream, streams};

streams! { Compute }

fn program(reader: Stream<PerThread>, x: Shared<Buffer<f32>>) -> Result<()> {
    reader.lease(&x).map(drop)
}

fn main() {
    let _: Option<PerThread> = None;
}
