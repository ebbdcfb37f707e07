// guarantee: only an event makes a record
// message: cannot construct `Recorded<_, _>` with struct literal syntax due to private fields
// case: STALE-05
#![allow(unreachable_code)]
use antecede::{Buffer, On, Recorded, Result, Stream, streams};

streams! { Upload }

fn record(upload: Stream<Upload>, x: Buffer<f32, On<Upload>>) -> Result<Recorded<Buffer<f32>>> {
    drop((upload, x));
    Ok(Recorded { parts: todo!() })
}

fn main() {}
