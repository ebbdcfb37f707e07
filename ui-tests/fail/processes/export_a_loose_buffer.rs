// guarantee: a stream that is known at run time only is no promise to another process
// message: this buffer is not ready for another process: its state is `Loose`
use antecede::{Buffer, Exportable, Loose, Stream, streams};
use antecede_ipc::{Exporter, Result};

streams! { Compute }

fn program(compute: Stream<Compute>, exporter: &mut Exporter, x: Buffer<f32, Loose, Exportable>) -> Result<()> {
    let x = compute.take(x)?;
    let published = exporter.publish(x.loose())?;
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
