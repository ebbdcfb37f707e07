// guarantee: a state is asserted by the library only
use antecede::{Buffer, Synced};

fn main() {
    let _: Buffer<f32, Synced> = Buffer::default();
}
