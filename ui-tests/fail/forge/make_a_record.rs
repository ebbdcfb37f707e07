// guarantee: only an event makes a record
// message: cannot construct `Recorded<_>` with struct literal syntax due to private fields
use antecede::{Buffer, On, Recorded, Result, Stream, streams};

streams! { Upload }

fn record(upload: Stream<Upload>, x: Buffer<f32, On<Upload>>) -> Result<Recorded<Buffer<f32>>> {
    Ok(Recorded { parts: x.loose(), event: upload })
}

fn main() {}
