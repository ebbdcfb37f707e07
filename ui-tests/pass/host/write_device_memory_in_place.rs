// guarantee: the host writes memory that it can address
use antecede::{Buffer, Pinned, Synced, Vram};

fn program(mut x: Buffer<f32, Synced, Pinned>) {
    x.as_mut_slice()[0] = 1.0;
}

fn main() {
    let _: Option<Vram> = None;
}
