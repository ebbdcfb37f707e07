// guarantee: a copy to a slice of the host's is ordered after the writes of the buffer
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>, target: &mut [f32]) -> Result<()> {
    compute.read(&compute.take(x)?, target)
}

fn main() {}
