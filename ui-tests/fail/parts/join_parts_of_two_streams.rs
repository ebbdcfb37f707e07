// guarantee: parts are joined when both are ready on one stream
// message: expected `Buffer<f32, On<A>>`, found `Buffer<f32, On<B>>`
use antecede::{Buffer, Failed, On, Result, Stream, streams};

streams! { A, B }

type Ready<S> = Buffer<f32, On<S>>;

fn program(a: Stream<A>, left: Ready<A>, right: Ready<B>) -> Result<Ready<A>> {
    let _ = a;
    left.unsplit(right).map_err(|Failed { error, .. }| error)
}

fn main() {}
