// guarantee: a reader of what is published ends before it comes back
// message: cannot move out of `published` because it is borrowed
use antecede::{Buffer, Exportable, Loose, Shared, Stream, streams};
use antecede_ipc::{Exporter, Published, Result};

streams! { Compute, Copy }

type Read = Shared<Buffer<f32, Loose, Exportable>>;

fn program(s: Stream<Compute>, copy: Stream<Copy>, e: &mut Exporter, published: Published<Read>) -> Result<Vec<f32>> {
    let lease = copy.lease(&published)?;
    let mut x = s.reunite(e.reclaim(published)?)?;
    let read = copy.download(&lease)?;
    s.fill(&mut x, 0.0)?;
    Ok(read)
}

fn main() {}
