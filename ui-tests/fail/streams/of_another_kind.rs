// guarantee: a stream is non-blocking or blocking, and nothing else
// message: a declared stream is `NonBlocking` (the default) or `Blocking`
// errors: 2
use antecede::streams;

streams! { Compute: Legacy }

fn main() {}
