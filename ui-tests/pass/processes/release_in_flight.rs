// guarantee: who lets go has seen the end of its work
// case: IPCX-03
use antecede::{Buffer, Imported, On, ReadWrite, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadWrite>>;

fn program(compute: Stream<Compute>, importer: &mut Importer, mut x: Theirs) -> Result<()> {
    compute.fill(&mut x, 1.0)?;
    importer.release(compute.sync(x)?)?;
    Ok(())
}

fn main() {}
