// guarantee: that a process has ended is no receipt
// message: is unsafe and requires unsafe block
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Lent, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, lent: Lent<Own>) -> Result<Own> {
    Ok(exporter.reclaim_after_exit(lent)?)
}

fn main() {}
