// guarantee: no implementation of ours gives the host a pointer
// message: only traits defined in the current crate can be implemented for types defined outside of the crate
use antecede::{HostVisible, Vram};

impl HostVisible for Vram {}
type Mine = Vram;

fn address<M: HostVisible>() {}

fn main() {
    address::<Mine>();
}
