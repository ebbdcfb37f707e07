// guarantee: no implementation of ours makes a buffer ready
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut x = compute.take(x)?;
    compute.fill(&mut x, 1.0)
}

fn main() {}
