// guarantee: every read is submitted before the readers are joined
// message: cannot move out of `x` because it is borrowed
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader, Home }

fn program(reader: Stream<Reader>, home: Stream<Home>, x: Shared<Buffer<f32>>) -> Result<Vec<f32>> {
    let lease = reader.lease(&x)?;
    let mut x = home.reunite(x)?;
    home.clear(&mut x)?;
    reader.download(&lease)
}

fn main() {}
