// guarantee: a state says what is known of the work on a buffer; a brand does not
// message: `Compute` is not the state of a buffer
use antecede::{Buffer, streams};

streams! { Compute }

struct Engine {
    weights: Buffer<f32, Compute>,
}

fn main() {}
