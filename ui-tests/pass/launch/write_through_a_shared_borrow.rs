// guarantee: what a kernel writes is borrowed exclusively
use antecede::{Buffer, On, Result, Stream, kernels, streams};

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn step(math: Math, compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    math.double(compute, &mut x)
}

fn main() {}
