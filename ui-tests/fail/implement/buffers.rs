// guarantee: states change on parts, in the library
// message: sealed
// errors: 2
use antecede::{Buffer, Buffers, State};

struct Pair(Buffer<f32>, Buffer<f32>);

impl Buffers for Pair {
    type With<St: State> = Buffer<f32, St>;
}

fn main() {
    fn keep(pair: Pair) -> (Buffer<f32>, Buffer<f32>) {
        (pair.0, pair.1)
    }
    let _ = keep;
}
