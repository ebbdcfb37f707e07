// guarantee: each export is one allocation
// message: `(Buffer<f32, Synced, Exportable>, Buffer<f32, Synced, Exportable>)` cannot be handed to another process
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Result};

type Finished = Buffer<f32, Synced, Exportable>;

fn program(exporter: &mut Exporter, x: Finished, y: Finished) -> Result<()> {
    let both = exporter.publish((x, y))?;
    drop(exporter.reclaim(both)?);
    Ok(())
}

fn main() {}
