// guarantee: a copy to the host is ordered after the writes of the buffer
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<Vec<f32>> {
    let x = compute.take(x)?;
    compute.download(&x)
}

fn main() {}
