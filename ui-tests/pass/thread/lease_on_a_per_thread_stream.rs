// guarantee: a thread's own stream is no reader of what other threads share
use antecede::{Buffer, PerThread, Result, Shared, Stream, streams};

streams! { Compute }

fn program(reader: Stream<Compute>, x: Shared<Buffer<f32>>) -> Result<()> {
    reader.lease(&x).map(drop)
}

fn main() {
    let _: Option<PerThread> = None;
}
