// guarantee: no implementation of ours moves a buffer to another device
// message: conflicting implementations
use antecede::{Buffer, OnDevice, Synced};

enum Mine {}

impl OnDevice<Mine> for Buffer<f32, Synced> {}

fn needs<D, B: antecede::OnDevice<D>>(_: B) {}

fn main() {
    let _ = needs::<Mine, Buffer<f32, Synced>>;
}
