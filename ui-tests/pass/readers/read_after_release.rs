// guarantee: what a lease has released, it reads no more
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<Vec<f32>> {
    let lease = reader.lease(&x)?;
    let host = reader.download(&lease)?;
    lease.release()?;
    Ok(host)
}

fn main() {}
