// guarantee: what an operation writes, it accesses alone
// message: cannot borrow `x` as mutable because it is also borrowed as immutable
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    compute.copy(&x[..4], &mut x[4..])
}

fn main() {}
