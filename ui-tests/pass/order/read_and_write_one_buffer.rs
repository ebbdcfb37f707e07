// guarantee: what an operation writes, it accesses alone
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    let (left, right) = x.split_at_mut(4);
    compute.copy(left, right)
}

fn main() {}
