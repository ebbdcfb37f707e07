// guarantee: an event joins the stream that it was recorded on, and no others
// case: STALE-03
use antecede::{Buffer, On, Recorded, Result, Stream, streams};

streams! { A, B, Join }

type Ready<S> = Buffer<f32, On<S>>;
type End = Recorded<Buffer<f32>>;

fn program(a: Stream<A>, b: Stream<B>, join: Stream<Join>, x: Ready<A>, y: Ready<B>) -> Result<()> {
    let event: End = b.record(y)?;
    let mut y = join.wait(event)?;
    let x = join.wait(a.record(x)?)?;
    join.copy(&x, &mut y)?;
    Ok(())
}

fn main() {}
