// guarantee: what is let go is given away
// message: mismatched types
use antecede::{Buffer, Imported, ReadOnly, Synced};
use antecede_ipc::{Importer, Result};

type Theirs = Buffer<f32, Synced, Imported<ReadOnly>>;

fn program(importer: &mut Importer, theirs: Theirs) -> Result<()> {
    importer.release(&theirs)?;
    Ok(())
}

fn main() {}
