// guarantee: a copy from the host is ordered after the reads of the buffer
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    compute.write(&mut x, &[1.0, 2.0])
}

fn main() {}
