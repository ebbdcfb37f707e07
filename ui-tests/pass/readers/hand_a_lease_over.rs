// guarantee: only owning values are handed over: no leases
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader, Other }

fn program(reader: Stream<Reader>, other: Stream<Other>, x: Shared<Buffer<f32>>) -> Result<()> {
    let _ = reader;
    other.lease(&x).map(drop)
}

fn main() {}
