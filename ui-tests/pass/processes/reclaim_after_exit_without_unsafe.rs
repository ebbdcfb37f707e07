// guarantee: that a process has ended is no receipt
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Lent, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, lent: Lent<Own>) -> Result<Own> {
    // SAFETY: whoever runs this keeps the promises.
    unsafe { Ok(exporter.reclaim_after_exit(lent)?) }
}

fn main() {}
