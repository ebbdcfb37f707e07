// guarantee: access to another process's memory is the library's business
// message: sealed
use antecede::{PeerAccess, ReadOnly};

enum Mine {}

impl PeerAccess for Mine {}

fn access<A: PeerAccess>() {}

fn main() {
    access::<Mine>();
    let _: Option<ReadOnly> = None;
}
