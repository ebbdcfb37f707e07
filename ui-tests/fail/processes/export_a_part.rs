// guarantee: another process gets a whole allocation: a part has other owners
// message: memory of kind `Vram` cannot be handed to another process
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

fn program(exporter: &mut Exporter, x: Buffer<f32, Synced, Exportable>, child: ImporterId) -> Result<()> {
    let (left, _right) = x.into_parts_at(512);
    let lent = exporter.lend(left, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(())
}

fn main() { let _: Option<Stream<Compute>> = None; }
