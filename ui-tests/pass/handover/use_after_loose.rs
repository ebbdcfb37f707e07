// guarantee: a buffer whose state was forgotten is not ready on its stream as well
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(upload: Stream<Upload>, compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let y = x.loose();
    let mut y = compute.take(y)?;
    compute.clear(&mut y)?;
    upload.clear(&mut upload.take(y)?)
}

fn main() {}
