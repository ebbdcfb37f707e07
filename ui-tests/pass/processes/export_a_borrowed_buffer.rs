// guarantee: what is exported is given away
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Result};

type Finished = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, x: Finished, child: ImporterId) -> Result<Finished> {
    let lent = exporter.lend(x, child)?;
    Ok(exporter.reclaim(lent)?)
}

fn main() {}
