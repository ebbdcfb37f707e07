// guarantee: a host function has slices of memory that the host can address
// message: the host has no pointer to this memory: it is `Vram`
use antecede::{Buffer, On, Result, Stream, Vram as Kind, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, x: Buffer<u32, On<Compute>, Kind>) -> Result<()> {
    drop(compute.host_fn(x, |x| x.fill(0))?);
    Ok(())
}

fn main() {}
