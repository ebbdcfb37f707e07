// guarantee: access to another process's memory is the library's business
use antecede::{PeerAccess, ReadOnly};

type Mine = ReadOnly;

fn access<A: PeerAccess>() {}

fn main() {
    access::<Mine>();
    let _: Option<ReadOnly> = None;
}
