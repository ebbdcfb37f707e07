// guarantee: only an event makes a record
#![allow(unreachable_code)]
use antecede::{Buffer, On, Recorded, Result, Stream, streams};

streams! { Upload }

fn record(upload: Stream<Upload>, x: Buffer<f32, On<Upload>>) -> Result<Recorded<Buffer<f32>>> {
    Ok(upload.record(x)?)
}

fn main() {}
