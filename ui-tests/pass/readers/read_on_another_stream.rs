// guarantee: a lease is ready on the stream that took it
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader, Other }

fn program(reader: Stream<Reader>, other: Stream<Other>, x: Shared<Buffer<f32>>) -> Result<Vec<f32>> {
    let _ = reader;
    let lease = other.lease(&x)?;
    other.download(&lease)
}

fn main() {}
