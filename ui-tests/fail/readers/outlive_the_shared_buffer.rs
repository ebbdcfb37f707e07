// guarantee: a lease ends before the buffer is freed
// message: `x` does not live long enough
use antecede::{Buffer, Lease, On, Reading, Result, Shared, Stream, streams};

streams! { Reader }

type View<'a> = Lease<'a, Reading<'a, f32, On<Reader>>>;

fn program<'a>(reader: Stream<Reader>, x: Shared<Buffer<f32>>, leases: &mut Vec<View<'a>>) -> Result<()> {
    leases.push(reader.lease(&x)?);
    Ok(())
}

fn main() {}
