// guarantee: what other processes read is not freed
// case: IPCX-01
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Published, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, published: Published<Own>) -> Result<()> {
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
