// guarantee: what arrives is on a stream: it says where the wait is, and the free
// case: IPCI-03
use antecede::{Buffer, Imported, On, ReadOnly, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadOnly>>;

fn program(compute: Stream<Compute>, importer: &mut Importer) -> Result<Theirs> {
    importer.import(compute)
}

fn main() {}
