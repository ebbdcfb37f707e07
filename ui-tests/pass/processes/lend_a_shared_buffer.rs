// guarantee: who writes has no reader beside it, in whatever process
use antecede::{Buffer, Exportable, Loose, Shared, Stream, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

type Read = Shared<Buffer<f32, Loose, Exportable>>;

fn program(compute: Stream<Compute>, exporter: &mut Exporter, x: Read, child: ImporterId) -> Result<()> {
    let lent = exporter.lend(compute.record(compute.reunite(x)?)?, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(())
}

fn main() {}
