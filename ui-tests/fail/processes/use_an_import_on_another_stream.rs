// guarantee: the stream that waits for the other process is the one that may use its memory
// message: this buffer is not ready on stream `Copy`
// case: IPCI-03
use antecede::{ReadOnly, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute, Copy }

fn program(compute: Stream<Compute>, copy: Stream<Copy>, importer: &mut Importer) -> Result<Vec<f32>> {
    let x = importer.import::<f32, ReadOnly, _>(compute)?;
    Ok(copy.download(&x)?)
}

fn main() {}
