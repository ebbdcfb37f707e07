// guarantee: nothing of a record's contents can be used
use antecede::{Buffer, Recorded, Result, Stream, streams};

streams! { Upload }

fn program(upload: Stream<Upload>, x: Recorded<Buffer<f32>>) -> Result<()> {
    let mut x = upload.wait(x)?;
    upload.fill(&mut x, 1.0)
}

fn main() {}
