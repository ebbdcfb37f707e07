// guarantee: a part of a buffer is ready where the buffer is
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut x = compute.take(x)?;
    let (left, _) = x.split_at_mut(4);
    compute.clear(left)
}

fn main() {}
