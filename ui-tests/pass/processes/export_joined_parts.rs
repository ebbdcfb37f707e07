// guarantee: what was in parts does not become exportable by a join
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

fn program(
    compute: Stream<Compute>, exporter: &mut Exporter, child: ImporterId,
    x: Buffer<f32, Synced, Exportable>, y: Buffer<f32, Synced, Exportable>,
) -> Result<()> {
    let (left, right) = x.into_parts_at(512);
    let (whole, mut y) = (left.unsplit(right)?.on(compute), y.on(compute));
    compute.copy(&whole, &mut y)?;
    let lent = exporter.lend(compute.record(y)?, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(())
}

fn main() {}
