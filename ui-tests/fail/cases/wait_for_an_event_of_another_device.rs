// guarantee: an event is recorded and waited on in the context that it belongs to
// message: expected `Recorded<_, Right>`, found `Recorded<Buffer<u8, Loose<Left>>, Left>`
// case: DEV-03
use antecede::{Buffer, On, Result, Stream, devices, streams};

devices! { Left, Right }
streams! { Copy }

type Slab = Buffer<u8, On<Copy, Left>>;

fn program(left: Stream<Copy, Left>, right: Stream<Copy, Right>, slab: Slab) -> Result<()> {
    let returned = left.record(slab)?;
    drop(right.wait(returned)?);
    let _ = right;
    Ok(())
}

fn main() {}
