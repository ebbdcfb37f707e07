// guarantee: every bit pattern that another process can write is a value of the elements
// message: the trait bound `bool: bytemuck::pod::Pod` is not satisfied
use antecede::{Buffer, Imported, On, ReadOnly, Stream, streams};
use antecede_ipc::{Importer, Result};

streams! { Compute }

type Flag = bool;

fn program(compute: Stream<Compute>, importer: &mut Importer) -> Result<Buffer<Flag, On<Compute>, Imported<ReadOnly>>> {
    importer.import(compute)
}

fn main() {}
