// guarantee: a state is asserted by the library only
use antecede::{Buffer, On, streams};

streams! { Compute }

fn main() {
    let _: Buffer<f32, On<Compute>> = Buffer::default();
}
