// guarantee: a copy to a slice of the host's is ordered after the writes of the buffer
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>, target: &mut [f32]) -> Result<()> {
    compute.read(&x, target)
}

fn main() {}
