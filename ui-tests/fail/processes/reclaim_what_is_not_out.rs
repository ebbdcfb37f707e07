// guarantee: only what was handed out comes back
// message: is not handed out, so it does not come back
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, ImporterId, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, x: Own, child: ImporterId) -> Result<Own> {
    let _ = child;
    Ok(exporter.reclaim(x)?)
}

fn main() {}
