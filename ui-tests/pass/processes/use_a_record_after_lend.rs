// guarantee: a record that went to another process is waited for there
use antecede::{Buffer, Exportable, On, Stream, streams};
use antecede_ipc::{Exporter, ImporterId, Result};

streams! { Compute, Copy }

type Own = Buffer<f32, On<Compute>, Exportable>;

fn program(compute: Stream<Compute>, copy: Stream<Copy>, e: &mut Exporter, x: Own, child: ImporterId) -> Result<()> {
    let recorded = compute.record(x)?;
    let lent = e.lend(recorded, child)?;
    let mut x = copy.take(e.reclaim(lent)?)?;
    copy.fill(&mut x, 0.0)?;
    Ok(())
}

fn main() {}
