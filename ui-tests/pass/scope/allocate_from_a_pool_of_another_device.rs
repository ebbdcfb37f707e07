// guarantee: memory comes from a pool of the stream's own device
use antecede::{Buffer, On, Pool, Result, Stream, Vram, devices, streams};

devices! { Left, Right }
streams! { Compute }

fn program(pool: Pool<Vram, Right>, compute: Stream<Compute, Right>) -> Result<Buffer<f32, On<Compute, Right>>> {
    compute.alloc_in(pool, 8)
}

fn main() {}
