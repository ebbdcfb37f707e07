// guarantee: only memory that other processes can map is handed to one
// case: IPCA-01
use antecede::{Device, Exportable, Stream, streams};
use antecede_ipc::{Exporter, Result};

streams! { Compute }

fn program(device: Device, compute: Stream<Compute>, exporter: &mut Exporter) -> Result<()> {
    let pool = device.pool::<Exportable>()?;
    let mut x = compute.alloc_in::<f32, _>(pool, 1024)?;
    compute.fill(&mut x, 1.0)?;
    let published = exporter.publish(compute.sync(x)?)?;
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
