// guarantee: no implementation of ours makes a buffer ready
// message: conflicting implementations of trait `ReadyOn<Compute, Primary>` for type `On<Upload>`
use antecede::{Buffer, On, Primary, ReadyOn, Result, Stream, streams};

streams! { Upload, Compute }

impl ReadyOn<Compute, Primary> for On<Upload> {}

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Upload>>) -> Result<()> {
    compute.fill(&mut x, 1.0)
}

fn main() {}
