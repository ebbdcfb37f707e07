// guarantee: an event covers a batch only if it covers every member
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Upload, Compute, Third }

type Ready<S> = Buffer<f32, On<S>>;

fn program(compute: Stream<Compute>, third: Stream<Third>, a: Ready<Compute>, b: Ready<Upload>) -> Result<()> {
    let b = compute.take(b)?;
    let recorded = compute.record((a, vec![b]))?;
    third.wait(recorded).map(drop).map_err(Into::into)
}

fn main() {}
