// guarantee: what comes back comes back once: nothing lent is copied
// message: no method named `clone` found for struct `Lent<B, D>`
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Lent, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, lent: Lent<Own>) -> Result<Own> {
    let again = lent.clone();
    Ok(exporter.reclaim(again)?)
}

fn main() {}
