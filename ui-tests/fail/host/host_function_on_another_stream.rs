// guarantee: a host function has buffers that are ready on the stream that calls it
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, On, Pinned, Result, Stream, streams};

streams! { Upload, Compute }

type Host<S> = Buffer<u32, On<S>, Pinned>;

fn program(compute: Stream<Compute>, x: Host<Upload>) -> Result<()> {
    drop(compute.host_fn(x, |x| x.fill(0))?);
    Ok(())
}

fn main() {}
