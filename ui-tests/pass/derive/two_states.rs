// guarantee: all buffers of a struct are handed over together
use antecede::{Batch, Buffer, State};

#[derive(Batch)]
struct Slot<A: State> {
    x: Buffer<f32, A>,
    y: Buffer<f32, A>,
}

fn main() {}
