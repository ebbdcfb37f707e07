// guarantee: a shared buffer is only read
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<()> {
    let mut x = reader.reunite(x)?;
    reader.clear(&mut x)
}

fn main() {}
