// guarantee: what another process is given is ready, or comes with an event
// case: SEED-3, IPCR-01
use antecede::{Buffer, Exportable, On, Stream, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

type Filled = Buffer<f32, On<Compute>, Exportable>;

fn program(compute: Stream<Compute>, exporter: &mut Exporter, x: Filled, child: ImporterId) -> Result<()> {
    let lent = exporter.lend(compute.record(x)?, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(())
}

fn main() {}
