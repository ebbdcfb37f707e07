// guarantee: what other processes read is not freed
// message: cannot move out of dereference of `Published<
// case: IPCX-01
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Published, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(_exporter: &mut Exporter, published: Published<Own>) -> Result<()> {
    drop(*published);
    Ok(())
}

fn main() {}
