// guarantee: how memory is freed is the library's business
// message: sealed
use antecede::Memory;

enum Mine {}

impl Memory for Mine {
    type Part = Mine;
}

fn allocate<M: Memory>() {}

fn main() {
    allocate::<Mine>();
}
