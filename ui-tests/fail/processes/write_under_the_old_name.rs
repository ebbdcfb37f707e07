// guarantee: what other processes read is written by nobody here
// message: use of moved value: `x`
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

type Own = Buffer<f32, Synced, Exportable>;

fn program(compute: Stream<Compute>, exporter: &mut Exporter, x: Own, child: ImporterId) -> Result<()> {
    let mut published = exporter.publish(x)?;
    exporter.offer(&mut published, child)?;
    compute.clear(&mut x.on(compute))?;
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
