// guarantee: the host writes memory that it can address
// message: the host has no pointer to this memory: it is `Vram`
use antecede::{Buffer, Pinned, Synced, Vram};

fn program(mut x: Buffer<f32, Synced, Vram>) {
    x.as_mut_slice()[0] = 1.0;
}

fn main() {
    let _: Option<Pinned> = None;
}
