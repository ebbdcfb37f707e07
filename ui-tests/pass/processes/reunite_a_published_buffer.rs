// guarantee: readers in other processes are joined before a write, as those here are
use antecede::{Buffer, Exportable, Loose, Shared, Stream, streams};
use antecede_ipc::{Exporter, Published, Result};

streams! { Compute }

type Read = Shared<Buffer<f32, Loose, Exportable>>;

fn program(compute: Stream<Compute>, exporter: &mut Exporter, published: Published<Read>) -> Result<()> {
    let mut x = compute.reunite(exporter.reclaim(published)?)?;
    compute.fill(&mut x, 0.0)?;
    Ok(())
}

fn main() {}
