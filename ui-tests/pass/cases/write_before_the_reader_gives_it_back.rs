// guarantee: a buffer that was lent to a stream is written elsewhere after that stream
// case: WAR-01, WAR-05
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute, Reduce }

type Bucket<S> = Buffer<f32, On<S>>;

fn step(
    compute: Stream<Compute>,
    reduce: Stream<Reduce>,
    bucket: Bucket<Compute>,
    sum: &mut Bucket<Reduce>,
) -> Result<()> {
    let bucket = reduce.take(bucket)?;
    reduce.copy(&bucket, sum)?;
    let mut bucket = compute.take(bucket)?;
    compute.clear(&mut bucket)
}

fn main() {}
