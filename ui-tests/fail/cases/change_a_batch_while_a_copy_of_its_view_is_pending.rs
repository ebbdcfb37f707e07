// guarantee: a copy of a view is a use of the whole, and the whole is not the host's while it is in flight
// message: the host cannot touch this buffer yet: its state is `On<Upload>`
// case: VIEW-01
use antecede::{Buffer, On, Pinned, Result, Stream, Synced, streams};

streams! { Upload }

type Batch<St> = Buffer<u8, St, Pinned>;

fn program(upload: Stream<Upload>, batch: Batch<Synced>, x: &mut Buffer<u8, On<Upload>>, m: usize) -> Result<()> {
    let mut batch = batch.on(upload);
    upload.copy(&batch[m..], x)?;
    batch.as_mut_slice()[m] = 1;
    Ok(())
}

fn main() {}
