// guarantee: a hand-over changes the state of every buffer, or says that it does not
// message: mark it `#[batch(keep)]` if it stays as it is
use antecede::{Batch, Buffer, Loose, State};

#[derive(Batch)]
struct Slot<St: State> {
    x: Buffer<f32, St>,
    y: Buffer<f32, Loose>,
}

fn main() {}
