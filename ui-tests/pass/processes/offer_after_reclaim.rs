// guarantee: what has come back is offered to nobody
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Published, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, mut published: Published<Own>, late: ImporterId) -> Result<Own> {
    exporter.offer(&mut published, late)?;
    let x = exporter.reclaim(published)?;
    Ok(x)
}

fn main() {}
