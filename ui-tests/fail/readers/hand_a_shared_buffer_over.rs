// guarantee: a shared buffer has readers to be joined before it is handed over
// message: is not a buffer or a batch of buffers
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Home }

fn program(home: Stream<Home>, x: Shared<Buffer<f32>>) -> Result<()> {
    home.take(x).map(drop).map_err(Into::into)
}

fn main() {}
