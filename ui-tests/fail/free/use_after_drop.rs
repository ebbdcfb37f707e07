// guarantee: nothing uses memory after its free
// message: borrow of moved value: `x`
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

fn program(compute: Stream<Compute>, mut x: Buffer<f32, On<Compute>>) -> Result<()> {
    drop(x);
    compute.fill(&mut x, 1.0)
}

fn main() {}
