// guarantee: an event is recorded and waited on in the context that it belongs to
// case: DEV-03
use antecede::{Buffer, On, Result, Stream, devices, streams};

devices! { Left, Right }
streams! { Copy }

type Slab = Buffer<u8, On<Copy, Left>>;

fn program(left: Stream<Copy, Left>, right: Stream<Copy, Right>, slab: Slab) -> Result<()> {
    let returned = left.record(slab)?;
    drop(left.wait(returned)?);
    let _ = right;
    Ok(())
}

fn main() {}
