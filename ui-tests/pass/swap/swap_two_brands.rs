// guarantee: two buffers of two streams do not change places
use antecede::{Buffer, On, streams};

streams! { Upload, Compute }

fn program(x: &mut Buffer<f32, On<Upload>>, y: &mut Buffer<f32, On<Upload>>) {
    std::mem::swap(x, y);
}

fn main() {}
