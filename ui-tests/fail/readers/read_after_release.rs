// guarantee: what a lease has released, it reads no more
// message: borrow of moved value: `lease`
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<Vec<f32>> {
    let lease = reader.lease(&x)?;
    lease.release()?;
    reader.download(&lease)
}

fn main() {}
