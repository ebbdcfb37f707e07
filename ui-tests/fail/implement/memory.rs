// guarantee: how memory is freed is the library's business
// message: sealed
use antecede::{Memory, Pinned};

enum Mine {}

impl Memory for Mine {
    type Part = Pinned;
}

fn allocate<M: Memory>() {}

fn main() {
    allocate::<Mine>();
}
