// guarantee: one process writes, and no other
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Result};

fn program(
    exporter: &mut Exporter, x: Buffer<f32, Synced, Exportable>, left: ImporterId, right: ImporterId,
) -> Result<()> {
    let first = exporter.lend(x, left)?;
    let x = exporter.reclaim(first)?;
    let second = exporter.lend(x, right)?;
    drop(exporter.reclaim(second)?);
    Ok(())
}

fn main() {}
