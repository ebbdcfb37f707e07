// guarantee: generic code says on which stream it needs its batches
use antecede::{AllOn, Result, Stream};

fn mark<S, D, B: AllOn<S, D>>(stream: Stream<S, D>, buffers: B) -> Result<()> {
    stream.record(buffers).map(drop).map_err(Into::into)
}

fn main() {}
