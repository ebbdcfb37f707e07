// guarantee: a struct is recorded on the stream that its buffers are ready on
use antecede::{Batch, Buffer, On, Result, State, Stream, streams};

streams! { Upload, Compute }

#[derive(Batch)]
struct Slot<St: State> {
    x: Buffer<f32, St>,
    y: Vec<Buffer<f32, St>>,
}

fn program(compute: Stream<Compute>, slot: Slot<On<Upload>>) -> Result<()> {
    let slot = compute.take(slot)?;
    compute.record(slot).map(drop).map_err(Into::into)
}

fn main() {}
