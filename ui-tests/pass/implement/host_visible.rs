// guarantee: no implementation of ours gives the host a pointer
use antecede::{HostVisible, Pinned};

type Mine = Pinned;

fn address<M: HostVisible>() {}

fn main() {
    address::<Mine>();
}
