// guarantee: no implementation of ours makes two devices one
// message: sealed
use antecede::{Primary, SameDevice};

enum Mine {}

impl SameDevice<Mine> for Primary {}

fn main() {
    let _: Option<Mine> = None;
}
