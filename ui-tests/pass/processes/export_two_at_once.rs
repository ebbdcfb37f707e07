// guarantee: each export is one allocation
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Result};

type Finished = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, x: Finished, y: Finished) -> Result<()> {
    let (x, y) = (exporter.publish(x)?, exporter.publish(y)?);
    drop(exporter.reclaim(x)?);
    drop(exporter.reclaim(y)?);
    Ok(())
}

fn main() {}
