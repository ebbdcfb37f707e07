// guarantee: memory is freed once
use antecede::{Buffer, On, streams};

streams! { Compute }

fn program(x: Buffer<f32, On<Compute>>) {
    drop(x);
}

fn main() {}
