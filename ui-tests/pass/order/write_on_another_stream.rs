// guarantee: a copy from the host is ordered after the reads of the buffer
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut x = compute.take(x)?;
    compute.write(&mut x, &[1.0, 2.0])
}

fn main() {}
