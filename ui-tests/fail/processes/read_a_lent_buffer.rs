// guarantee: what another process may write is not read here
// message: no method named `to_vec` found for struct `Lent<B, D>`
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Lent, Result};

type Own = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, lent: Lent<Own>) -> Result<Vec<f32>> {
    let read = lent.to_vec()?;
    drop(exporter.reclaim(lent)?);
    Ok(read)
}

fn main() {}
