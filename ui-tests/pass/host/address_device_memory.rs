// guarantee: host slices exist for memory that the host can address
use antecede::{Buffer, Result, Synced};

fn program(x: Buffer<f32, Synced>) -> Result<f32> {
    Ok(x.to_vec()?[0])
}

fn main() {}
