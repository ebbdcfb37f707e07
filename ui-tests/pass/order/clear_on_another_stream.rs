// guarantee: a fill with zeros is accepted only on the stream that the buffer is ready on
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut x = compute.take(x)?;
    compute.clear(&mut x)
}

fn main() {}
