// guarantee: each lease is counted
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<()> {
    let lease = reader.lease(&x)?;
    let other = reader.lease(&x)?;
    drop((lease, other));
    Ok(())
}

fn main() {}
