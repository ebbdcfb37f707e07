// guarantee: every bit pattern that memory can hold is a value of its elements: device memory
// message: the trait bound `bool: bytemuck::pod::Pod` is not satisfied
use antecede::{Buffer, On, Result, Stream, streams};

streams! { Compute }

type Flag = bool;

fn program(compute: Stream<Compute>) -> Result<Buffer<Flag, On<Compute>>> {
    compute.alloc(8)
}

fn main() {}
