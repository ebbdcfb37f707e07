// guarantee: the host does not write the source of a copy in flight
// message: the host cannot touch this buffer yet: its state is `On<Upload>`
// case: WAR-07, FREE-17
use antecede::{Buffer, On, Pinned, Result, Stream, Synced, streams};

streams! { Upload }

type Frame<St> = Buffer<u8, St, Pinned>;

fn program(upload: Stream<Upload>, host: Frame<Synced>, mut x: Buffer<u8, On<Upload>>) -> Result<()> {
    let mut host = host.on(upload);
    upload.copy(&host, &mut x)?;
    host.as_mut_slice()[0] = 1;
    Ok(())
}

fn main() {}
