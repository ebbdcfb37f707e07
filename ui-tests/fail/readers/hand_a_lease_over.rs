// guarantee: only owning values are handed over: no leases
// message: is not a buffer or a batch of buffers
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader, Other }

fn program(reader: Stream<Reader>, other: Stream<Other>, x: Shared<Buffer<f32>>) -> Result<()> {
    let lease = reader.lease(&x)?;
    other.take(lease).map(drop).map_err(Into::into)
}

fn main() {}
