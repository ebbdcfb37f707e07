// guarantee: all buffers of a struct are handed over together
// message: a batch has one state
use antecede::{Batch, Buffer, State};

#[derive(Batch)]
struct Slot<A: State, B: State> {
    x: Buffer<f32, A>,
    y: Buffer<f32, B>,
}

fn main() {}
