// guarantee: a record holds buffers, and says so when it is not used
// message: the buffers in it are freed if it is dropped
#![deny(unused_must_use)]
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(upload: Stream<Upload>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    upload.record(x)?;
    Ok(())
}

fn main() {}
