// guarantee: the kind of a stream has one source
use antecede::{Blocking, Kind};

type Mine = Blocking;

fn create<K: Kind>() {}

fn main() {
    create::<Mine>();
}
