// guarantee: the parts of what others read are read as well
use antecede::{Buffer, Imported, On, ReadOnly, Result, Stream, streams};

streams! { Compute }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadOnly>>;

fn program(compute: Stream<Compute>, theirs: Theirs) -> Result<Vec<f32>> {
    let (left, right) = theirs.into_parts_at(8);
    drop(right);
    compute.download(&left)
}

fn main() {}
