// guarantee: a stream that is known at run time only is no proof for a launch
use antecede::{Buffer, Result, Stream, kernels, streams};

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn step(math: Math, compute: Stream<Compute>, x: Buffer<f32>) -> Result<()> {
    let mut x = compute.claim(x)?;
    math.double(compute, &mut x)
}

fn main() {}
