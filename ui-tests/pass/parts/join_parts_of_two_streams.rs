// guarantee: parts are joined when both are ready on one stream
use antecede::{Buffer, Failed, On, Result, Stream, streams};

streams! { A, B }

type Ready<S> = Buffer<f32, On<S>>;

fn program(a: Stream<A>, left: Ready<A>, right: Ready<B>) -> Result<Ready<A>> {
    let right = a.take(right)?;
    left.unsplit(right).map_err(|Failed { error, .. }| error)
}

fn main() {}
