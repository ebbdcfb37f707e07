// guarantee: a host slice of pinned memory ends before work on it is submitted
// message: cannot move out of `host` because it is borrowed
use antecede::{Buffer, On, Pinned, Result, Stream, Synced, streams};

streams! { Upload }

type Frame<St> = Buffer<u8, St, Pinned>;

fn program(upload: Stream<Upload>, mut host: Frame<Synced>, mut x: Buffer<u8, On<Upload>>) -> Result<()> {
    let slice = host.as_mut_slice();
    let host = host.on(upload);
    upload.copy(&host, &mut x)?;
    slice[0] = 1;
    Ok(())
}

fn main() {}
