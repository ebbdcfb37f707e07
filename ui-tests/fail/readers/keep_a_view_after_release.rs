// guarantee: a view that came from a lease ends with it
// message: cannot move out of `lease` because it is borrowed
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<Vec<f32>> {
    let lease = reader.lease(&x)?;
    let half = &lease[..4];
    lease.release()?;
    reader.download(half)
}

fn main() {}
