// guarantee: an event joins the stream that it was recorded on, and no others
// message: this buffer is not ready on stream `Join`
// case: STALE-03
use antecede::{Buffer, On, Recorded, Result, Stream, streams};

streams! { A, B, Join }

type Ready<S> = Buffer<f32, On<S>>;
type End = Recorded<Buffer<f32>>;

fn program(a: Stream<A>, b: Stream<B>, join: Stream<Join>, x: Ready<A>, y: Ready<B>) -> Result<()> {
    let event: End = b.record(y)?;
    let mut y = join.wait(event)?;
    join.copy(&x, &mut y)?;
    let _ = a;
    Ok(())
}

fn main() {}
