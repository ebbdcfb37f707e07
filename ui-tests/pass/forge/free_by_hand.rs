// guarantee: the library frees, in the order of the stream
use antecede::{Buffer, Memory, On, streams};

streams! { Compute }

fn program<M: Memory>(x: Buffer<f32, On<Compute>, M>) {
    drop(x);
}

fn main() {}
