// guarantee: what is ready on a thread's own stream stays on that thread
use antecede::{Buffer, On, PerThread, Stream, streams};
use std::thread;

streams! { Compute }

fn program(x: Buffer<f32, On<Compute>>) {
    thread::spawn(move || drop(x));
}

fn main() {
    let _: Option<(Stream<PerThread>, Buffer<f32, On<PerThread>>)> = None;
}
