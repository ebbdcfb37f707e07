// guarantee: nothing happens to a buffer between the record and the wait
// message: mismatched types
use antecede::{Buffer, Recorded, Result, Stream, kernels, streams};

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn step(math: Math, compute: Stream<Compute>, mut x: Recorded<Buffer<f32>>) -> Result<()> {
    math.double(compute, &mut x)
}

fn main() {}
