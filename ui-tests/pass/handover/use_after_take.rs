// guarantee: a hand-over takes the buffer by value
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(upload: Stream<Upload>, compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    upload.fill(&mut x, 1.0)?;
    let mut y = compute.take(x)?;
    compute.fill(&mut y, 2.0)
}

fn main() {}
