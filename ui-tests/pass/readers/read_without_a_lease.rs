// guarantee: who reads a shared buffer is noted as its reader
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<Vec<f32>> {
    reader.download(&reader.lease(&x)?)
}

fn main() {}
