// guarantee: a host function has slices of memory that the host can address
use antecede::{Buffer, On, Pinned as Kind, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<u32, On<Compute>, Kind>) -> Result<()> {
    drop(compute.host_fn(x, |x| x.fill(0))?);
    Ok(())
}

fn main() {}
