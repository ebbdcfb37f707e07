// guarantee: the host does not read the destination of a copy in flight
// message: the host cannot touch this buffer yet: its state is `On<Download>`
// case: HOST-01
use antecede::{Buffer, On, Pinned, Result, Stream, Synced, streams};

streams! { Download }

type Frame<St> = Buffer<u8, St, Pinned>;

fn program(download: Stream<Download>, x: Buffer<u8, On<Download>>, host: Frame<Synced>) -> Result<u8> {
    let mut host = host.on(download);
    download.copy(&x, &mut host)?;
    Ok(host.as_slice()[0])
}

fn main() {}
