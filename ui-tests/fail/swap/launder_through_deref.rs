// guarantee: the view of a buffer has the buffer's state
// message: expected `&View<f32, On<Compute>>`, found `&Buffer<f32, On<Upload>>`
use antecede::{Buffer, On, View, streams};

streams! { Upload, Compute }

fn program(x: &Buffer<f32, On<Upload>>) -> &View<f32, On<Compute>> {
    x
}

fn main() {}
