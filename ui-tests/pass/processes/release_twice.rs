// guarantee: who lets go says so once
use antecede::{Buffer, Imported, ReadWrite, Synced};
use antecede_ipc::{Importer, Result};

type Theirs = Buffer<f32, Synced, Imported<ReadWrite>>;

fn program(importer: &mut Importer, x: Theirs) -> Result<()> {
    importer.release(x)?;
    Ok(())
}

fn main() {}
