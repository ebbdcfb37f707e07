// guarantee: only owning values are handed over: in a struct
// message: a batch owns what it hands over: no lifetimes
use antecede::{Batch, Buffer, State};

#[derive(Batch)]
struct Slot<'a, St: State> {
    x: &'a mut Buffer<f32, St>,
}

fn main() {}
