// guarantee: only memory that other processes can map is handed to one: not managed memory
use antecede::{Buffer, Exportable, Synced};
use antecede_ipc::{Exporter, Result};

fn program(exporter: &mut Exporter, x: Buffer<f32, Synced, Exportable>) -> Result<()> {
    let published = exporter.publish(x)?;
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
