// guarantee: a struct that is handed over says where its state is
use antecede::{Batch, Buffer, Loose, State};

#[derive(Batch)]
struct Slot<St: State = Loose> {
    x: Buffer<f32, St>,
}

fn main() {}
