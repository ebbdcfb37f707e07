// guarantee: a copy to the host is ordered after the writes of the buffer
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<Vec<f32>> {
    compute.download(&x)
}

fn main() {}
