// guarantee: a whole is ready where each of its parts is
// message: expected `Buffer<f32, On<Reduce>>`, found `Buffer<f32, On<Hook>>`
// case: WSTR-01
use antecede::{Buffer, Failed, On, Result, Stream, streams};

streams! { Hook, Reduce }

type Part<S> = Buffer<f32, On<S>>;

fn program(reduce: Stream<Reduce>, first: Part<Hook>, last: Part<Hook>) -> Result<Part<Reduce>> {
    let last = reduce.take(last)?;
    let whole = last.unsplit(first);
    whole.map_err(|Failed { error, .. }| error)
}

fn main() {}
