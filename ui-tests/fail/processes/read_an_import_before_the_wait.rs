// guarantee: the host reads another process's memory after its stream has waited
// message: the host cannot touch this buffer yet: its state is `On<Compute>`
use antecede::{ReadOnly, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute }

fn program(compute: Stream<Compute>, importer: &mut Importer) -> Result<Vec<f32>> {
    let x = importer.import::<f32, ReadOnly, _>(compute)?;
    Ok(x.to_vec()?)
}

fn main() {}
