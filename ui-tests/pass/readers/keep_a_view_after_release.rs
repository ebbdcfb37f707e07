// guarantee: a view that came from a lease ends with it
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<Vec<f32>> {
    let lease = reader.lease(&x)?;
    let half = &lease[..4];
    let host = reader.download(half)?;
    lease.release()?;
    Ok(host)
}

fn main() {}
