// guarantee: the host does not look into device memory
// message: the host cannot pick a single element of device memory with `[{integer}]`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Compute>>) -> Result<f32> {
    Ok(compute.download(&x[0])?[0])
}

fn main() {}
