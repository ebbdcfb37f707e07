// guarantee: what other processes read is not written
use antecede::{Buffer, Exportable, Stream, Synced, streams};
use antecede_ipc::{Exporter, Published, Result};

streams! { Compute }

type Own = Buffer<f32, Synced, Exportable>;

fn overwrite(x: &mut Own) { let _ = x; }

fn program(_: Stream<Compute>, exporter: &mut Exporter, published: Published<Own>) -> Result<()> {
    let mut x = exporter.reclaim(published)?;
    overwrite(&mut x);
    Ok(())
}

fn main() {}
