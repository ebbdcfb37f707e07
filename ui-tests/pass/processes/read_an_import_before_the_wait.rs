// guarantee: the host reads another process's memory after its stream has waited
use antecede::{ReadOnly, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute }

fn program(compute: Stream<Compute>, importer: &mut Importer) -> Result<Vec<f32>> {
    let x = importer.import::<f32, ReadOnly, _>(compute)?;
    Ok(compute.sync(x)?.to_vec()?)
}

fn main() {}
