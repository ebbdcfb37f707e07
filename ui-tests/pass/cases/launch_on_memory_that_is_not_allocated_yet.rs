// guarantee: a launch takes memory that is allocated by then, in the order of its own stream
// case: ALLOC-05
use antecede::{Result, Stream, kernels, streams};

streams! { Alloc, Launch }
kernels! { Init { unsafe fn ones(x: &mut [f32]) { x.fill(1.0); } } }

fn program(init: Init, alloc: Stream<Alloc>, launch: Stream<Launch>) -> Result<()> {
    let mut x = launch.take(alloc.alloc::<f32>(64)?)?;
    init.ones(launch, &mut x)
}

fn main() {}
