// guarantee: what comes back comes back once
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Lent, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, lent: Lent<Own>) -> Result<(Own, Option<Own>)> {
    let x = exporter.reclaim(lent)?;
    let y = None;
    Ok((x, y))
}

fn main() {}
