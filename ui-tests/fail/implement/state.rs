// guarantee: what a state asserts is the library's business
// message: sealed
use antecede::{Primary, State};

enum Mine {}

impl State for Mine {
    type Device = Primary;
}

fn read<St: State>() {}

fn main() {
    read::<Mine>();
}
