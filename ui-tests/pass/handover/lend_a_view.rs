// guarantee: only owning values are handed over
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut x = compute.take(x)?;
    compute.fill(&mut x[..4], 1.0)
}

fn main() {}
