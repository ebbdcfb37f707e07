// guarantee: what is ready on a thread's own stream is not lent to another thread
// message: cannot be shared between threads safely
use antecede::{Buffer, On, PerThread};

fn lend<T: Send>(_: T) {}

fn program(x: Buffer<f32, On<PerThread>>) {
    lend(&x);
}

fn main() {}
