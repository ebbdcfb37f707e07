// guarantee: what a kernel writes is ready on the stream of the launch
use antecede::{Buffer, On, Result, Stream, kernels, streams};

streams! { Upload, Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

fn step(math: Math, compute: Stream<Compute>, x: Buffer<f32, On<Upload>>) -> Result<()> {
    let mut x = compute.take(x)?;
    math.double(compute, &mut x)
}

fn main() {}
