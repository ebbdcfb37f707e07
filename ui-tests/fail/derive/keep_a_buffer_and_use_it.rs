// guarantee: what a struct keeps does not change its state
// message: this buffer is not ready on stream `Compute`
use antecede::{Batch, Buffer, On, Result, State, Stream, streams};

streams! { Upload, Compute }

#[derive(Batch)]
struct Slot<St: State> {
    x: Buffer<f32, St>,
    #[batch(keep)]
    y: Buffer<f32, On<Upload>>,
}

fn program(compute: Stream<Compute>, slot: Slot<On<Upload>>) -> Result<()> {
    let mut slot = compute.take(slot)?;
    compute.fill(&mut slot.y, 1.0)
}

fn main() {}
