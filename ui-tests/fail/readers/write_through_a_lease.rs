// guarantee: a shared buffer is only read
// message: types differ in mutability
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<()> {
    let lease = reader.lease(&x)?;
    reader.clear(&lease)
}

fn main() {}
