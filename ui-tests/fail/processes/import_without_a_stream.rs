// guarantee: what arrives is on a stream: it says where the wait is, and the free
// message: this method takes 1 argument but 0 arguments were supplied
// case: IPCI-03
use antecede::{Buffer, Imported, On, ReadOnly, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute }

type Theirs = Buffer<f32, On<Compute>, Imported<ReadOnly>>;

fn program(_compute: Stream<Compute>, importer: &mut Importer) -> Result<Theirs> {
    importer.import()
}

fn main() {}
