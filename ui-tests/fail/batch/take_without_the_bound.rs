// guarantee: generic code says on which device it needs its batches
// message: OnDevice
use antecede::{Batch, Result, Stream};

fn fetch<S, D, B: Batch>(stream: Stream<S, D>, buffers: B) -> Result<()> {
    stream.take(buffers).map(drop).map_err(Into::into)
}

fn main() {}
