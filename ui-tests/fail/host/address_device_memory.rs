// guarantee: host slices exist for memory that the host can address
// message: the host has no pointer to this memory: it is `Vram`
use antecede::{Buffer, Result, Synced};

fn program(x: Buffer<f32, Synced>) -> Result<f32> {
    Ok(x.as_slice()[0])
}

fn main() {}
