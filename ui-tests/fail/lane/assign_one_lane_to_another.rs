// guarantee: a brand of `lane!` is that of one stream
// message: temporary value dropped while borrowed
use antecede::{AnyStream, lane};

fn program(streams: &[AnyStream]) {
    lane!(a = streams[0]);
    lane!(b = streams[1]);
    let mut chosen = a;
    let _ = (chosen, b);
    chosen = b;
    let _ = chosen;
}

fn main() {}
