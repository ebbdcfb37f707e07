// guarantee: the host does not write the source of a copy in flight
use antecede::{Buffer, On, Pinned, Result, Stream, Synced, streams};

streams! { Upload }

type Frame<St> = Buffer<u8, St, Pinned>;

fn program(upload: Stream<Upload>, host: Frame<Synced>, mut x: Buffer<u8, On<Upload>>) -> Result<()> {
    let host = host.on(upload);
    upload.copy(&host, &mut x)?;
    let mut host = upload.sync(host)?;
    host.as_mut_slice()[0] = 1;
    Ok(())
}

fn main() {}
