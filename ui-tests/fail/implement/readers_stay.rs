// guarantee: no implementation of ours lets readers stay beside a writer
// message: sealed
// errors: 2
use antecede::ipc::ReadersStay;
use antecede::ReadOnly;

enum Mine {}

impl ReadersStay for Mine {}

fn stays<A: ReadersStay>() {}

fn main() {
    stays::<Mine>();
    let _: Option<ReadOnly> = None;
}
