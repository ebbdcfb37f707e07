// guarantee: what a kernel reads is ready on the stream of the launch
use antecede::{Buffer, On, Result, Stream, kernels, streams};

streams! { Upload, Compute }

kernels! {
    Math {
        unsafe fn saxpy(n: u32, a: f32, x: &[f32], y: &mut [f32])
        where [n as usize <= x.len(), n as usize <= y.len()]
        { for i in 0..n as usize { y[i] += a * x[i]; } }
    }
}

type Ready<S> = Buffer<f32, On<S>>;

fn step(math: Math, compute: Stream<Compute>, n: u32, x: Ready<Upload>, mut y: Ready<Compute>) -> Result<()> {
    let x = compute.take(x)?;
    math.saxpy(compute, n, 2.0, &x, &mut y)?;
    Ok(())
}

fn main() {}
