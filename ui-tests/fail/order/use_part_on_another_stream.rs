// guarantee: a part of a buffer is ready where the buffer is
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    let (left, _) = x.split_at_mut(4);
    compute.clear(left)
}

fn main() {}
