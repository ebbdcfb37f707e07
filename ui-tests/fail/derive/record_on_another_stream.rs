// guarantee: a struct is recorded on the stream that its buffers are ready on
// message: this buffer is not ready on stream `Compute`
use antecede::{Batch, Buffer, On, Result, State, Stream, streams};

streams! { Upload, Compute }

#[derive(Batch)]
struct Slot<St: State> {
    x: Buffer<f32, St>,
    y: Vec<Buffer<f32, St>>,
}

fn program(compute: Stream<Compute>, slot: Slot<On<Upload>>) -> Result<()> {
    compute.record(slot).map(drop).map_err(Into::into)
}

fn main() {}
