// guarantee: a lease ends before the buffer is freed
use antecede::{Buffer, Lease, On, Reading, Result, Shared, Stream, streams};

streams! { Reader }

type View<'a> = Lease<'a, Reading<'a, f32, On<Reader>>>;

fn program<'a>(reader: Stream<Reader>, x: Shared<Buffer<f32>>, leases: &mut Vec<View<'a>>) -> Result<()> {
    drop(reader.lease(&x)?);
    leases.clear();
    Ok(())
}

fn main() {}
