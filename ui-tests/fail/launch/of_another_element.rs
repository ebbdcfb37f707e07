// guarantee: a kernel is given elements of its own type
// message: mismatched types
use antecede::{Buffer, On, Result, Stream, kernels, streams};

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn step(math: Math, compute: Stream<Compute>, mut x: Buffer<f64, On<Compute>>) -> Result<()> {
    math.double(compute, &mut x)
}

fn main() {}
