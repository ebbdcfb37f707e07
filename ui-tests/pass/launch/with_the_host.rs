// guarantee: a synced buffer is given to a stream before a launch
use antecede::{Buffer, Result, Stream, Synced, kernels, streams};

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn step(math: Math, compute: Stream<Compute>, x: Buffer<f32, Synced>) -> Result<()> {
    let mut x = x.on(compute);
    math.double(compute, &mut x)
}

fn main() {}
