// guarantee: the event that goes along is of the stream that the buffer is on
// message: this buffer is not ready on stream `Copy`
use antecede::{Buffer, Exportable, On, Stream, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute, Copy }

type Filled = Buffer<f32, On<Compute>, Exportable>;

fn program(copy: Stream<Copy>, exporter: &mut Exporter, x: Filled, child: ImporterId) -> Result<()> {
    let lent = exporter.lend(copy.record(x)?, child)?;
    drop(exporter.reclaim(lent)?);
    Ok(())
}

fn main() {}
