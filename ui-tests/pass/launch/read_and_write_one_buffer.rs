// guarantee: what a kernel writes, it accesses alone
use antecede::{Buffer, On, Result, Stream, kernels, streams};

streams! { Compute }
kernels! {
    Math {
        unsafe fn add(x: &[f32], y: &mut [f32]) where [x.len() == y.len()]
        { y.iter_mut().zip(x).for_each(|(y, x)| *y += x); }
    }
}

fn step(math: Math, compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    let (left, right) = x.split_at_mut(4);
    math.add(compute, left, right)
}

fn main() {}
