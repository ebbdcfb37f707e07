// guarantee: no implementation of ours makes memory writable
// message: only traits defined in the current crate can be implemented for types defined outside of the crate
use antecede::{Imported, ReadOnly, ReadWrite, Writable};

type Mine = Imported<ReadOnly>;

impl Writable for Mine {}

fn writable<M: Writable>() {}

fn main() {
    writable::<Mine>();
    let _: Option<Imported<ReadWrite>> = None;
}
