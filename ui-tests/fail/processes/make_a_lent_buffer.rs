// guarantee: only an exporter hands out
// message: cannot initialize a tuple struct which contains private fields
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Lent, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, x: Own, child: ImporterId) -> Result<Lent<Own>> {
    let _ = (exporter, child);
    Ok(Lent(x))
}

fn main() {}
