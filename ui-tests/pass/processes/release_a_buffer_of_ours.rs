// guarantee: only another process's memory is let go
use antecede::{Buffer, Imported, ReadOnly, Synced};
use antecede_ipc::{Importer, Result};

type Theirs = Buffer<f32, Synced, Imported<ReadOnly>>;

fn program(importer: &mut Importer, own: Buffer<f32, Synced>, theirs: Theirs) -> Result<()> {
    let _ = (own.len(), theirs.len());
    importer.release(theirs)?;
    Ok(())
}

fn main() {}
