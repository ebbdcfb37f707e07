// guarantee: a state is asserted by the library only
// message: cannot initialize a tuple struct which contains private fields
use antecede::{Buffer, Synced};

fn main() {
    let _: Synced = Synced(Default::default());
    let _: Buffer<f32, Synced> = Buffer::default();
}
