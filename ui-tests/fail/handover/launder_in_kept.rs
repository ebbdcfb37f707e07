// guarantee: what a batch keeps does not change its state
// message: this buffer is not ready on stream `Compute`
use antecede::{Buffer, Kept, On, Result, Stream, streams};

streams! { Upload, Compute }

fn program(compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let Kept(mut x) = compute.take(Kept(x))?;
    compute.fill(&mut x, 1.0)
}

fn main() {}
