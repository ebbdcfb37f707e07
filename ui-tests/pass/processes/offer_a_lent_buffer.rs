// guarantee: what one process may write is offered to no other
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Result};

fn program(
    exporter: &mut Exporter, x: Buffer<f32, Synced, Exportable>, left: ImporterId, right: ImporterId,
) -> Result<()> {
    let mut out = exporter.publish(x)?;
    exporter.offer(&mut out, left)?;
    exporter.offer(&mut out, right)?;
    drop(exporter.reclaim(out)?);
    Ok(())
}

fn main() {}
