// guarantee: a hand-over does not make memory writable
// message: is not implemented for `Buffer<f32, On<Copy>, Imported<ReadOnly>>`
use antecede::{Buffer, Imported, On, ReadOnly, Result, Stream, streams};

streams! { Compute, Copy }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadOnly>>;

fn program(copy: Stream<Copy>, theirs: Theirs) -> Result<Vec<f32>> {
    let mut theirs = copy.take(theirs)?;
    copy.fill(&mut theirs, 0.0)?;
    copy.download(&theirs)
}

fn main() {}
