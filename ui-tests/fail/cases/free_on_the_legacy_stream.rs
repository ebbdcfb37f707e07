// guarantee: memory is freed on the stream of its last use
// message: expected `Buffer<u8, On<Legacy>>`, found `Buffer<u8, On<Copy>>`
// case: FREE-21
use antecede::{Buffer, Legacy, On, Pinned, Result, Stream, streams};

streams! { Copy }

/// The drop is a `cuMemFreeAsync` on the legacy default stream.
fn free(_: Buffer<u8, On<Legacy>>) {}

type Host = Buffer<u8, On<Copy>, Pinned>;

fn program(legacy: Stream<Legacy>, copy: Stream<Copy>, d: Buffer<u8, On<Copy>>, h: &mut Host) -> Result<()> {
    copy.copy(&d, h)?;
    free(d);
    let _ = legacy;
    Ok(())
}

fn main() {}
