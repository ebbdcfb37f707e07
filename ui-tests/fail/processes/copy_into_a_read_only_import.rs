// guarantee: what others read as well is no target of a copy
// message: is not implemented for `Buffer<f32, On<Compute>, Imported<ReadOnly>>`
use antecede::{Buffer, Imported, On, ReadOnly, Result, Stream, streams};

streams! { Compute }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadOnly>>;

fn program(compute: Stream<Compute>, mut theirs: Theirs, mut own: Buffer<f32, On<Compute>>) -> Result<()> {
    compute.fill(&mut own, 1.0)?;
    compute.copy(&own, &mut theirs)
}

fn main() {}
