// guarantee: what another process is given is ready, or comes with an event
// message: this buffer is not ready for another process: its state is `On<Compute>`
// case: SEED-3, IPCR-01
use antecede::{Buffer, Exportable, On, Stream, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

type Filled = Buffer<f32, On<Compute>, Exportable>;

fn program(_compute: Stream<Compute>, exporter: &mut Exporter, x: Filled, child: ImporterId) -> Result<()> {
    let lent = exporter.lend(x, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(())
}

fn main() {}
