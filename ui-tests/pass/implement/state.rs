// guarantee: what a state asserts is the library's business
use antecede::{State, Synced};

type Mine = Synced;

fn read<St: State>() {}

fn main() {
    read::<Mine>();
}
