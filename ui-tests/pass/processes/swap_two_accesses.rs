// guarantee: memory for reading and memory for writing are not exchanged
use antecede::{Buffer, Imported, On, ReadOnly, ReadWrite, streams};

streams! { Compute }

type Read = Buffer<f32, On<Compute>, Imported<ReadOnly>>;
type Write = Buffer<f32, On<Compute>, Imported<ReadWrite>>;

fn swap<T>(_: &mut T, _: &mut T) {}

fn program(read: &mut Read, write: &mut Write, other: &mut Write) {
    let _ = (&read, &other);
    swap(write, other);
}

fn main() {}
