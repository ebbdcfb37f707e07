// guarantee: a buffer that was given to a stream is not with the host as well
use antecede::{Buffer, Pinned, Result, Stream, Synced, streams};

streams! { Upload }

fn program(upload: Stream<Upload>, x: Buffer<f32, Synced, Pinned>) -> Result<()> {
    let mut y = x.on(upload);
    upload.fill(&mut y, 1.0)?;
    let mut x = upload.sync(y)?;
    x.as_mut_slice()[0] = 2.0;
    Ok(())
}

fn main() {}
