// guarantee: what another process is given has been allocated
// message: this buffer is not ready for another process: its state is `On<Compute>`
// case: IPCR-03
use antecede::{Exportable, Pool, Stream, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

fn program(compute: Stream<Compute>, pool: Pool<Exportable>, exporter: &mut Exporter, child: ImporterId) -> Result<()> {
    let x = compute.alloc_in::<f32, _>(pool, 1024)?;
    let lent = exporter.lend(x, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(())
}

fn main() {}
