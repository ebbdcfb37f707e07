// guarantee: memory of a pool is not thereby what other processes can map
use antecede::{Device, Exportable, Stream, streams};
use antecede_ipc::{Exporter, Result};

streams! { Compute }

fn program(device: Device, compute: Stream<Compute>, exporter: &mut Exporter) -> Result<()> {
    let mut x = compute.alloc_in::<f32, _>(device.pool::<Exportable>()?, 1024)?;
    compute.fill(&mut x, 1.0)?;
    let published = exporter.publish(compute.record(x)?)?;
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
