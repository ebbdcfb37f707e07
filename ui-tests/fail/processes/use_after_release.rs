// guarantee: who has let go does not use it
// message: use of moved value: `x`
// case: IPCX-03
use antecede::{Buffer, Imported, ReadWrite, Stream, Synced, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute }

type Theirs = Buffer<f32, Synced, Imported<ReadWrite>>;

fn program(compute: Stream<Compute>, importer: &mut Importer, x: Theirs) -> Result<()> {
    importer.release(x)?;
    let mut x = x.on(compute);
    compute.fill(&mut x, 0.0)?;
    Ok(())
}

fn main() {}
