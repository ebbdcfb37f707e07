// guarantee: each thread has a per-thread stream of its own, which no registry names
// message: only traits defined in the current crate can be implemented for types defined outside of the crate
use antecede::{Blocking, PerThread, StreamBrand};

enum Mine {}

impl StreamBrand for PerThread {
    type Kind = Blocking;
    const NAME: &'static str = "Mine";
}

fn main() {
    let _ = (None::<Mine>, None::<PerThread>);
}
