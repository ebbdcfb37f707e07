// guarantee: a buffer that was given to a stream is not with the host as well
// message: borrow of moved value: `x`
use antecede::{Buffer, Pinned, Result, Stream, Synced, streams};

streams! { Upload }

fn program(upload: Stream<Upload>, mut x: Buffer<f32, Synced, Pinned>) -> Result<()> {
    let mut y = x.on(upload);
    upload.fill(&mut y, 1.0)?;
    x.as_mut_slice()[0] = 2.0;
    Ok(())
}

fn main() {}
