// guarantee: the kind of access stays in the type
use antecede::{Buffer, Imported, On, ReadOnly, ReadWrite, streams};

streams! { Compute }

type Read = Buffer<f32, On<Compute>, Imported<ReadOnly>>;
type Write = Buffer<f32, On<Compute>, Imported<ReadWrite>>;

fn program(read: Read, write: Write) -> Write {
    let _ = (read.len(), write.len());
    write
}

fn main() {}
