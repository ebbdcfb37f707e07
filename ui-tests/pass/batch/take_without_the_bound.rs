// guarantee: generic code says on which device it needs its batches
use antecede::{OnDevice, Result, Stream};

fn fetch<S, D, B: OnDevice<D>>(stream: Stream<S, D>, buffers: B) -> Result<()> {
    stream.take(buffers).map(drop).map_err(Into::into)
}

fn main() {}
