// guarantee: a record holds buffers, and says so when it is not used
#![deny(unused_must_use)]
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(upload: Stream<Upload>, compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let recorded = upload.record(x)?;
    drop(compute.wait(recorded)?);
    Ok(())
}

fn main() {}
