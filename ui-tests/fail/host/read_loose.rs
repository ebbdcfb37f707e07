// guarantee: the host reads only what it has seen complete
// message: the host cannot touch this buffer yet: its state is `Loose`
use antecede::{Buffer, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32>) -> Result<Vec<f32>> {
    let _ = compute;
    x.to_vec()
}

fn main() {}
