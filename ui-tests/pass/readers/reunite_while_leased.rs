// guarantee: every read is submitted before the readers are joined
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader, Home }

fn program(reader: Stream<Reader>, home: Stream<Home>, x: Shared<Buffer<f32>>) -> Result<Vec<f32>> {
    let lease = reader.lease(&x)?;
    let host = reader.download(&lease)?;
    drop(lease);
    let mut x = home.reunite(x)?;
    home.clear(&mut x)?;
    Ok(host)
}

fn main() {}
