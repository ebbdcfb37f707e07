// guarantee: a view ends before the memory is freed
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>) -> Result<()> {
    let x: Buffer<f32, On<Compute>> = compute.zeroed(8)?;
    let view = &x[..4];
    compute.download(view).map(drop)
}

fn main() {}
