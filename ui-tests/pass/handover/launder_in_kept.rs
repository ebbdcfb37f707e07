// guarantee: what a batch keeps does not change its state
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut x = compute.take(x)?;
    compute.fill(&mut x, 1.0)
}

fn main() {}
