// guarantee: a view ends before the memory is freed
// message: `x` does not live long enough
// case: VIEW-03
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>) -> Result<()> {
    let view = {
        let x: Buffer<f32, On<Compute>> = compute.zeroed(8)?;
        &x[..4]
    };
    compute.download(view).map(drop)
}

fn main() {}
