// guarantee: one process writes, and no other
// message: use of moved value: `x`
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Result};

fn program(
    exporter: &mut Exporter, x: Buffer<f32, Synced, Exportable>, left: ImporterId, right: ImporterId,
) -> Result<()> {
    let first = exporter.lend(x, left)?;
    let second = exporter.lend(x, right)?;
    drop(exporter.reclaim(first)?);
    drop(exporter.reclaim(second)?);
    Ok(())
}

fn main() {}
