// guarantee: the host reads what a pool allocated and a stream fills after that stream
// message: the host cannot touch this buffer yet: its state is `On<Fill>`
// errors: 2
// case: SEED-4
use antecede::{Buffer, Managed, On, Pinned, Pool, Pooled, Result, Stream, streams};

streams! { Fill }

type Filled<M> = Buffer<u32, On<Fill>, Pooled<M>>;

fn program(fill: Stream<Fill>, pinned: Pool<Pinned>, managed: Pool<Managed>) -> Result<u32> {
    let (mut x, mut y): (Filled<Pinned>, Filled<Managed>) = (fill.alloc_in(pinned, 8)?, fill.alloc_in(managed, 8)?);
    fill.fill(&mut x, 1)?;
    fill.fill(&mut y, 2)?;
    Ok(x.as_slice()[0] + y.as_slice()[0])
}

fn main() {}
