// guarantee: only owning values are handed over: in a struct
use antecede::{Batch, Buffer, State};

#[derive(Batch)]
struct Slot<St: State> {
    x: Buffer<f32, St>,
}

fn main() {}
