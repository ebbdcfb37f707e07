// guarantee: no implementation of ours makes memory writable
use antecede::{Imported, ReadWrite, Writable};

type Mine = Imported<ReadWrite>;

fn writable<M: Writable>() {}

fn main() {
    writable::<Mine>();
    let _: Option<Imported<ReadWrite>> = None;
}
