// guarantee: legacy takes over without an event what is on the stream that is named, and nothing else
// message: this buffer is not ready on stream `A`
use antecede::{Buffer, Legacy, On, Stream, streams};

streams! { A: Blocking, B: Blocking }

type Ready<S> = Buffer<f32, On<S>>;

fn program(legacy: Stream<Legacy>, a: Stream<A>, x: Ready<B>) -> Ready<Legacy> {
    legacy.after_blocking(a, x)
}

fn main() {
    let _: Option<B> = None;
}
