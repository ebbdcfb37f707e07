// guarantee: from legacy to a blocking stream is a hand-over: an event makes the order
// message: this buffer is not ready on stream
use antecede::{Blocking, Buffer, Legacy, On, Result, Stream, streams};

streams! { A: Blocking }

fn program(a: Stream<A>, x: Buffer<f32, On<Legacy>>) -> Result<Vec<f32>> {
    let _ = a.name();
    a.download(&x)
}

fn main() {
    let _: Option<Blocking> = None;
}
