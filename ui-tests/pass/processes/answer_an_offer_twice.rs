// guarantee: one offer, one answer
use antecede::{ReadWrite, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute, Copy }

fn program(compute: Stream<Compute>, copy: Stream<Copy>, importer: &mut Importer) -> Result<()> {
    let offer = importer.next_offer()?;
    let x = offer.import::<f32, ReadWrite, _>(compute)?;
    let y = importer.next_offer()?.import::<f32, ReadWrite, _>(copy)?;
    drop((x, y));
    Ok(())
}

fn main() {}
