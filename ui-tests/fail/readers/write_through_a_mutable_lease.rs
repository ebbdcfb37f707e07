// guarantee: a shared buffer is only read, also by who has the lease for himself
// message: cannot borrow data in dereference of `Reading<'_, f32, On<Reader>>` as mutable
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Reader }

fn program(reader: Stream<Reader>, x: Shared<Buffer<f32>>) -> Result<()> {
    let mut lease = reader.lease(&x)?;
    reader.clear(&mut lease)
}

fn main() {}
