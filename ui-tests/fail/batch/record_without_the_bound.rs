// guarantee: generic code says on which stream it needs its batches
// message: these buffers are not known to be ready on stream `S`
use antecede::{Batch, Result, Stream};

fn mark<S, D, B: Batch>(stream: Stream<S, D>, buffers: B) -> Result<()> {
    stream.record(buffers).map(drop).map_err(Into::into)
}

fn main() {}
