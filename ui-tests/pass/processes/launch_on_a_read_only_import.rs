// guarantee: what others read as well is written by no kernel
use antecede::{Buffer, Imported, On, ReadOnly, Result, Stream, kernels, streams};

streams! { Compute }
kernels! { Math { unsafe fn double(x: &mut [f32]) { x.iter_mut().for_each(|x| *x *= 2.0); } } }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadOnly>>;

fn step(math: Math, compute: Stream<Compute>, theirs: Theirs) -> Result<()> {
    let mut own = compute.alloc(theirs.len())?;
    compute.copy(&theirs, &mut own)?;
    math.double(compute, &mut own)
}

fn main() {}
