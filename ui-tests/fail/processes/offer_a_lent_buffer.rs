// guarantee: what one process may write is offered to no other
// message: found mutable reference `&mut Lent<Buffer<f32, Synced, Exportable>>`
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Result};

fn program(
    exporter: &mut Exporter, x: Buffer<f32, Synced, Exportable>, left: ImporterId, right: ImporterId,
) -> Result<()> {
    let mut out = exporter.lend(x, left)?;
    exporter.offer(&mut out, right)?;
    drop(exporter.reclaim(out)?);
    Ok(())
}

fn main() {}
