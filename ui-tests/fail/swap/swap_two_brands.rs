// guarantee: two buffers of two streams do not change places
// message: expected `&mut Buffer<f32, On<Upload>>`, found `&mut Buffer<f32, On<Compute>>`
use antecede::{Buffer, On, streams};

streams! { Upload, Compute }

/// `std::mem::swap`, with a span of our own.
fn swap<T>(_: &mut T, _: &mut T) {}

fn program(x: &mut Buffer<f32, On<Upload>>, y: &mut Buffer<f32, On<Compute>>) {
    swap(x, y);
}

fn main() {}
