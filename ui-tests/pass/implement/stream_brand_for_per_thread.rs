// guarantee: each thread has a per-thread stream of its own, which no registry names
use antecede::{Blocking, PerThread, StreamBrand};

enum Mine {}

impl StreamBrand for Mine {
    type Kind = Blocking;
    const NAME: &'static str = "Mine";
}

fn main() {
    let _ = (None::<Mine>, None::<PerThread>);
}
