// guarantee: what is ready on a thread's own stream stays on that thread
// message: cannot be sent between threads safely
// case: IDENT-01, WSTR-03
use antecede::{Buffer, On, PerThread, Stream, streams};
use std::thread;

streams! { Compute }

fn program(x: Buffer<f32, On<PerThread>>) {
    thread::spawn(move || drop(x));
}

fn main() {
    let _: Option<(Stream<PerThread>, Buffer<f32, On<PerThread>>)> = None;
}
