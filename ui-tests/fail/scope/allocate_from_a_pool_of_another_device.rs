// guarantee: memory comes from a pool of the stream's own device
// message: expected `Pool<_, Right>`, found `Pool<Vram, Left>`
use antecede::{Buffer, On, Pool, Result, Stream, Vram, devices, streams};

devices! { Left, Right }
streams! { Compute }

fn program(pool: Pool<Vram, Left>, compute: Stream<Compute, Right>) -> Result<Buffer<f32, On<Compute, Right>>> {
    compute.alloc_in(pool, 8)
}

fn main() {}
