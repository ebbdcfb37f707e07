// guarantee: sharing starts after the last write
// message: this buffer is not ready on stream `Reader`
use antecede::{Buffer, On, Result, Shared, Stream, streams};

streams! { Reader, Home }

fn program(reader: Stream<Reader>, home: Stream<Home>, x: Buffer<f32, On<Home>>) -> Result<Shared<Buffer<f32>>> {
    let _ = home;
    Ok(reader.share(x)?)
}

fn main() {}
