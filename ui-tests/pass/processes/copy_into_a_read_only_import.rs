// guarantee: what others read as well is no target of a copy
use antecede::{Buffer, Imported, On, ReadOnly, Result, Stream, streams};

streams! { Compute }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadOnly>>;

fn program(compute: Stream<Compute>, theirs: Theirs, mut own: Buffer<f32, On<Compute>>) -> Result<()> {
    compute.fill(&mut own, 1.0)?;
    compute.copy(&theirs, &mut own)
}

fn main() {}
