// guarantee: what is ready on a thread's own stream stays on that thread
use antecede::{Buffer, On, PerThread, streams};
use std::thread;

streams! { Compute }

fn program(x: &Buffer<f32, On<Compute>>) {
    thread::scope(|threads| drop(threads.spawn(|| x.len())));
}

fn main() {
    let _: Option<PerThread> = None;
}
