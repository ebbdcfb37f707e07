// guarantee: memory is freed once
// message: use of moved value: `x`
use antecede::{Buffer, On, streams};

streams! { Compute }

fn program(x: Buffer<f32, On<Compute>>) {
    drop(x);
    drop(x);
}

fn main() {}
