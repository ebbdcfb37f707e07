// guarantee: no implementation of ours moves a buffer to another device
use antecede::{Buffer, Synced};

type Mine = antecede::Primary;

fn needs<D, B: antecede::OnDevice<D>>(_: B) {}

fn main() {
    let _ = needs::<Mine, Buffer<f32, Synced>>;
}
