// guarantee: a buffer whose state was forgotten is not ready on its stream as well
// message: borrow of moved value: `x`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(upload: Stream<Upload>, compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    let y = x.loose();
    compute.clear(&mut compute.take(y)?)?;
    upload.clear(&mut x)
}

fn main() {}
