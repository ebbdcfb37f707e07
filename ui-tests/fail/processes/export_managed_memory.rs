// guarantee: only memory that other processes can map is handed to one: not managed memory
// message: memory of kind `Managed` cannot be handed to another process
use antecede::{Buffer, Managed, Synced};
use antecede_ipc::{Exporter, Result};

fn program(exporter: &mut Exporter, x: Buffer<f32, Synced, Managed>) -> Result<()> {
    let published = exporter.publish(x)?;
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
