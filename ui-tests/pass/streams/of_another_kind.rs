// guarantee: a stream is non-blocking or blocking, and nothing else
use antecede::streams;

streams! { Compute: Blocking }

fn main() {}
