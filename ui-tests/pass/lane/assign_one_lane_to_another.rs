// guarantee: a brand of `lane!` is that of one stream
use antecede::{AnyStream, lane};

fn program(streams: &[AnyStream]) {
    lane!(a = streams[0]);
    lane!(b = streams[1]);
    let mut chosen = a;
    let _ = (chosen, b);
    chosen = a;
    let _ = chosen;
}

fn main() {}
