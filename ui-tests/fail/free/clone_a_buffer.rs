// guarantee: no two values own the same memory
// message: no method named `clone` found
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(x: Buffer<f32, On<Compute>>) -> Buffer<f32, On<Compute>> {
    x.clone()
}

fn main() {}
