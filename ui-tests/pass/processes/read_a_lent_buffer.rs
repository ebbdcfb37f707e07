// guarantee: what another process may write is not read here
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Lent, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, lent: Lent<Own>) -> Result<Vec<f32>> {
    let x = exporter.reclaim(lent)?;
    Ok(x.to_vec()?)
}

fn main() {}
