// guarantee: the kind of a stream has one source
// message: sealed
use antecede::Kind;

enum Mine {}

impl Kind for Mine {}

fn create<K: Kind>() {}

fn main() {
    create::<Mine>();
}
