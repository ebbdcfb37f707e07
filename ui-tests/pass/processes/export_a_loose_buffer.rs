// guarantee: a stream that is known at run time only is no promise to another process
use antecede::{Buffer, Exportable, Loose, Stream, streams};
use antecede_ipc::{Exporter, Result};

streams! { Compute }

fn program(compute: Stream<Compute>, exporter: &mut Exporter, x: Buffer<f32, Loose, Exportable>) -> Result<()> {
    let x = compute.take(x)?;
    let published = exporter.publish(compute.record(x)?)?;
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
