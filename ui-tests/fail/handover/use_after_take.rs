// guarantee: a hand-over takes the buffer by value
// message: borrow of moved value: `x`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(upload: Stream<Upload>, compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut y = compute.take(x)?;
    upload.fill(&mut x, 1.0)?;
    compute.fill(&mut y, 2.0)
}

fn main() {}
