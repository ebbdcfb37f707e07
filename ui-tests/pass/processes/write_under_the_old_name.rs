// guarantee: what other processes read is written by nobody here
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

type Own = Buffer<f32, Synced, Exportable>;

fn program(compute: Stream<Compute>, exporter: &mut Exporter, x: Own, child: ImporterId) -> Result<()> {
    let mut published = exporter.publish(x)?;
    exporter.offer(&mut published, child)?;
    let x = exporter.reclaim(published)?;
    compute.clear(&mut x.on(compute))?;
    Ok(())
}

fn main() {}
