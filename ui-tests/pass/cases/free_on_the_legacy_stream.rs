// guarantee: memory is freed on the stream of its last use
// case: FREE-21
use antecede::{Buffer, Legacy, On, Pinned, Result, Stream, streams};

streams! { Copy }

/// The drop is a `cuMemFreeAsync` on the legacy default stream.
fn free(_: Buffer<u8, On<Legacy>>) {}

type Host = Buffer<u8, On<Copy>, Pinned>;

fn program(legacy: Stream<Legacy>, copy: Stream<Copy>, d: Buffer<u8, On<Copy>>, h: &mut Host) -> Result<()> {
    copy.copy(&d, h)?;
    free(legacy.take(d)?);
    Ok(())
}

fn main() {}
