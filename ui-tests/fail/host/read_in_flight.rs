// guarantee: the host reads only what it has seen complete
// message: the host cannot touch this buffer yet: its state is `On<Compute>`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Compute>>) -> Result<Vec<f32>> {
    x.to_vec()
}

fn main() {}
