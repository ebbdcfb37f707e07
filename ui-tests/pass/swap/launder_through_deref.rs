// guarantee: the view of a buffer has the buffer's state
use antecede::{Buffer, On, View, streams};

streams! { Upload, Compute }

fn program(x: &Buffer<f32, On<Upload>>) -> &View<f32, On<Upload>> {
    x
}

fn main() {}
