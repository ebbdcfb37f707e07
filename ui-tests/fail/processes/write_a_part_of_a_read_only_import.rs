// guarantee: the parts of what others read are read as well
// message: is not implemented for `Buffer<f32, On<Compute>, Imported<ReadOnly>>`
use antecede::{Buffer, Imported, On, ReadOnly, Result, Stream, streams};

streams! { Compute }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadOnly>>;

fn program(compute: Stream<Compute>, theirs: Theirs) -> Result<Vec<f32>> {
    let (mut left, right) = theirs.into_parts_at(8);
    compute.fill(&mut left, 0.0)?;
    compute.download(&right)
}

fn main() {}
