// guarantee: what a kernel writes, it accesses alone
// message: cannot borrow `x` as mutable because it is also borrowed as immutable
use antecede::{Buffer, On, Result, Stream, kernels, streams};

streams! { Compute }
kernels! {
    Math {
        unsafe fn add(x: &[f32], y: &mut [f32]) where [x.len() == y.len()]
        { y.iter_mut().zip(x).for_each(|(y, x)| *y += x); }
    }
}

fn step(math: Math, compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    math.add(compute, &x[..4], &mut x[4..])
}

fn main() {}
