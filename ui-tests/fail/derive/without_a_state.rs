// guarantee: a struct that is handed over says where its state is
// message: a batch is generic over the state of its buffers
use antecede::{Batch, Buffer};

#[derive(Batch)]
struct Slot {
    x: Buffer<f32>,
}

fn main() {}
