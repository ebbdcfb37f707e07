// guarantee: another process's memory is not handed on
// message: memory of kind `Imported<ReadWrite>` cannot be handed to another process
use antecede::{Buffer, Exportable, Imported, On, ReadWrite, Stream, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadWrite>>;
type Own = Buffer<f32, On<Compute>, Exportable>;

fn pass_on(compute: Stream<Compute>, e: &mut Exporter, x: Theirs, mut own: Own, child: ImporterId) -> Result<()> {
    compute.copy(&x, &mut own)?;
    let lent = e.lend(compute.record(x)?, child)?;
    drop(e.reclaim(lent)?);
    Ok(())
}

fn main() {}
