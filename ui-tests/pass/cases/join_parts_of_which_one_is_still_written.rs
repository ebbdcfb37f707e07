// guarantee: a whole is ready where each of its parts is
// case: WSTR-01
use antecede::{Buffer, Failed, On, Result, Stream, streams};

streams! { Hook, Reduce }

type Part<S> = Buffer<f32, On<S>>;

fn program(reduce: Stream<Reduce>, first: Part<Hook>, last: Part<Hook>) -> Result<Part<Reduce>> {
    let first = reduce.take(first)?;
    let last = reduce.take(last)?;
    let whole = last.unsplit(first);
    whole.map_err(|Failed { error, .. }| error)
}

fn main() {}
