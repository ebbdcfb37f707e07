// guarantee: what is exported is given away
// message: `&mut Buffer<f32, Synced, Exportable>` cannot be handed to another process
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Result};

type Finished = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, mut x: Finished, child: ImporterId) -> Result<Finished> {
    let lent = exporter.lend(&mut x, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(x)
}

fn main() {}
