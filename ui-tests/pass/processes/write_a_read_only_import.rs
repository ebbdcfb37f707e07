// guarantee: what others read as well is not written
use antecede::{Imported, ReadOnly, ReadWrite, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute }

fn program(compute: Stream<Compute>, importer: &mut Importer) -> Result<()> {
    let mut x = importer.import::<f32, ReadWrite, _>(compute)?;
    compute.fill(&mut x, 0.0)?;
    importer.release(compute.sync(x)?)?;
    Ok(())
}

fn main() { let _: Option<(Imported<ReadOnly>, ReadWrite)> = None; }
