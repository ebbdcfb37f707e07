// guarantee: the library frees, in the order of the stream
// message: expected `Freed`, found `Buffer<f32, On<Compute>>`
use antecede::{Buffer, Memory, On, streams};

streams! { Compute }

fn program<M: Memory>(x: Buffer<f32, On<Compute>>) {
    M::free(x);
}

fn main() {}
