// guarantee: a hand-over does not make memory writable
use antecede::{Buffer, Imported, On, ReadOnly, Result, Stream, streams};

streams! { Compute, Copy }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadOnly>>;

fn program(copy: Stream<Copy>, theirs: Theirs) -> Result<Vec<f32>> {
    let theirs = copy.take(theirs)?;
    copy.download(&theirs)
}

fn main() {}
