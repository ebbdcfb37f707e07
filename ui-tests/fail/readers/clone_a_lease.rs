// guarantee: each lease is counted
// message: no method named `clone` found
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<()> {
    let lease = reader.lease(&x)?;
    let other = lease.clone();
    drop((lease, other));
    Ok(())
}

fn main() {}
