// guarantee: a host slice of pinned memory ends before work on it is submitted
use antecede::{Buffer, On, Pinned, Result, Stream, Synced, streams};

streams! { Upload }

type Frame<St> = Buffer<u8, St, Pinned>;

fn program(upload: Stream<Upload>, mut host: Frame<Synced>, mut x: Buffer<u8, On<Upload>>) -> Result<()> {
    let slice = host.as_mut_slice();
    slice[0] = 1;
    let host = host.on(upload);
    upload.copy(&host, &mut x)?;
    Ok(())
}

fn main() {}
