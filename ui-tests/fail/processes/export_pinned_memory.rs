// guarantee: only memory that other processes can map is handed to one: not the host's
// message: memory of kind `Pinned` cannot be handed to another process
use antecede::{Device, Exportable, Stream, streams};
use antecede_ipc::{Exporter, Result};

streams! { Compute }

fn program(device: Device, compute: Stream<Compute>, exporter: &mut Exporter) -> Result<()> {
    let x = device.pinned_from(&[1.0_f32, 2.0])?;
    let mut y = compute.alloc_in::<f32, _>(device.pool::<Exportable>()?, 2)?;
    compute.copy(&x.on(compute), &mut y)?;
    let published = exporter.publish(device.pinned_from(&[1.0_f32, 2.0])?)?;
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
