// guarantee: a synced buffer is given to a stream before a launch
// message: this buffer is with the host; give it to stream `Compute` first
use antecede::{Buffer, Result, Stream, Synced, kernels, streams};

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn step(math: Math, compute: Stream<Compute>, mut x: Buffer<f32, Synced>) -> Result<()> {
    math.double(compute, &mut x)
}

fn main() {}
