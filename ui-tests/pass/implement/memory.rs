// guarantee: how memory is freed is the library's business
use antecede::{Memory, Pinned};

type Mine = Pinned;

fn allocate<M: Memory>() {}

fn main() {
    allocate::<Mine>();
}
