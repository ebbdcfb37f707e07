// guarantee: a state says what is known of the work on a buffer; a brand does not
use antecede::{Buffer, On, streams};

streams! { Compute }

struct Engine {
    weights: Buffer<f32, On<Compute>>,
}

fn main() {}
