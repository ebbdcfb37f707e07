// guarantee: what other processes read is not written
// message: cannot borrow data in dereference of `Published<
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Exporter, Published, Result};

streams! { Compute }

type Own = Buffer<f32, Synced, Exportable>;

fn overwrite(x: &mut Own) { let _ = x; }

fn program(_: Stream<Compute>, exporter: &mut Exporter, mut published: Published<Own>) -> Result<()> {
    overwrite(&mut published);
    drop(exporter.reclaim(published)?);
    Ok(())
}

fn main() {}
