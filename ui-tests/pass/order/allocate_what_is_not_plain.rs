// guarantee: every bit pattern that memory can hold is a value of its elements: device memory
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

type Flag = u8;

fn program(compute: Stream<Compute>) -> Result<Buffer<Flag, On<Compute>>> {
    compute.alloc(8)
}

fn main() {}
