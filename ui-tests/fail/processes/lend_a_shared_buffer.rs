// guarantee: who writes has no reader beside it, in whatever process
// message: a shared buffer is not lent for writing
use antecede::{Buffer, Exportable, Loose, Shared, Stream, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

type Read = Shared<Buffer<f32, Loose, Exportable>>;

fn program(_compute: Stream<Compute>, exporter: &mut Exporter, x: Read, child: ImporterId) -> Result<()> {
    let lent = exporter.lend(x, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(())
}

fn main() {}
