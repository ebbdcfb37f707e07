// guarantee: the host has no pointer to another process's device memory
use antecede::{Buffer, Imported, ReadOnly, Result, Synced};

fn program(x: &Buffer<f32, Synced, Imported<ReadOnly>>) -> Result<Vec<f32>> {
    x.to_vec()
}

fn main() {}
