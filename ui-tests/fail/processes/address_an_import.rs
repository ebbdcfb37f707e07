// guarantee: the host has no pointer to another process's device memory
// message: the host has no pointer to this memory: it is `Imported<ReadOnly>`
use antecede::{Buffer, Imported, ReadOnly, Result, Synced};

fn program(x: &Buffer<f32, Synced, Imported<ReadOnly>>) -> Result<Vec<f32>> {
    Ok(x.as_slice().to_vec())
}

fn main() {}
