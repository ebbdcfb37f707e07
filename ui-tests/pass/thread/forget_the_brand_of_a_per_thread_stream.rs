// guarantee: a thread's own stream is not chosen at run time: the choice could be another thread's
use antecede::{AnyStream, PerThread, Stream, streams};

streams! { Compute }

fn program(stream: Stream<Compute>) -> AnyStream {
    stream.any()
}

fn main() {
    let _: Option<PerThread> = None;
}
