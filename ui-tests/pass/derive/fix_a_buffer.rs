// guarantee: a hand-over changes the state of every buffer, or says that it does not
use antecede::{Batch, Buffer, Loose, State};

#[derive(Batch)]
struct Slot<St: State> {
    x: Buffer<f32, St>,
    #[batch(keep)]
    y: Buffer<f32, Loose>,
}

fn main() {}
