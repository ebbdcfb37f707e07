// guarantee: only memory that other processes can map is handed to one: not the host's
use antecede::{Device, Exportable, Stream, streams};
use antecede_ipc::{Exporter, Result};

streams! { Compute }

fn program(device: Device, compute: Stream<Compute>, exporter: &mut Exporter) -> Result<()> {
    let x = device.pinned_from(&[1.0_f32, 2.0])?;
    let mut y = compute.alloc_in::<f32, _>(device.pool::<Exportable>()?, 2)?;
    compute.copy(&x.on(compute), &mut y)?;
    let published = exporter.publish(compute.record(y)?)?;
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
