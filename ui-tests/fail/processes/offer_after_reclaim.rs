// guarantee: what has come back is offered to nobody
// message: borrow of moved value: `published`
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Published, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, mut published: Published<Own>, late: ImporterId) -> Result<Own> {
    let x = exporter.reclaim(published)?;
    exporter.offer(&mut published, late)?;
    Ok(x)
}

fn main() {}
