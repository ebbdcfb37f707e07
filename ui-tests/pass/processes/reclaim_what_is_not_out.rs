// guarantee: only what was handed out comes back
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, x: Own, child: ImporterId) -> Result<Own> {
    let lent = exporter.lend(x, child)?;
    Ok(exporter.reclaim(lent)?)
}

fn main() {}
