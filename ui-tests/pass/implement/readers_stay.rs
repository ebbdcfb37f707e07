// guarantee: no implementation of ours lets readers stay beside a writer
use antecede::ipc::ReadersStay;
use antecede::ReadOnly;

type Mine = ReadOnly;

fn stays<A: ReadersStay>() {}

fn main() {
    stays::<Mine>();
    let _: Option<ReadOnly> = None;
}
