// guarantee: a lease is ready on the stream that took it
// message: this buffer is not ready on stream `Other`
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader, Other }

fn program(reader: Stream<Reader>, other: Stream<Other>, x: Shared<Buffer<f32>>) -> Result<Vec<f32>> {
    let _ = other;
    let lease = reader.lease(&x)?;
    other.download(&lease)
}

fn main() {}
