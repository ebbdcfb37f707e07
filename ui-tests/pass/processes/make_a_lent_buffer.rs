// guarantee: only an exporter hands out
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Lent, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, x: Own, child: ImporterId) -> Result<Lent<Own>> {
    Ok(exporter.lend(x, child)?)
}

fn main() {}
