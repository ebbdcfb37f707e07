// guarantee: what another process may write is not used here
// message: borrow of moved value: `x`
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

type Own = Buffer<f32, Synced, Exportable>;

fn program(_: Stream<Compute>, exporter: &mut Exporter, x: Own, child: ImporterId) -> Result<Vec<f32>> {
    let lent = exporter.lend(x, child)?;
    let read = x.to_vec()?;
    drop(exporter.reclaim(lent)?);
    Ok(read)
}

fn main() {}
