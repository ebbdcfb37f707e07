// guarantee: generic code says on which device it needs its batches
// message: these buffers are not known to live on device `D`
use antecede::{Batch, Result, Stream};

fn fetch<S, D, B: Batch>(stream: Stream<S, D>, buffers: B) -> Result<()> {
    stream.take(buffers).map(drop).map_err(Into::into)
}

fn main() {}
