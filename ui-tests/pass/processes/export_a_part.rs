// guarantee: another process gets a whole allocation: a part has other owners
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

fn program(exporter: &mut Exporter, x: Buffer<f32, Synced, Exportable>, child: ImporterId) -> Result<()> {
    let lent = exporter.lend(x, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(())
}

fn main() { let _: Option<Stream<Compute>> = None; }
