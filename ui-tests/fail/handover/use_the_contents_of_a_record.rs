// guarantee: nothing of a record's contents can be used
// message: expected `&mut View<f32, _>`, found `&mut Recorded<Buffer<f32>>`
use antecede::{Buffer, Recorded, Result, Stream, streams};

streams! { Upload }

fn program(upload: Stream<Upload>, mut x: Recorded<Buffer<f32>>) -> Result<()> {
    upload.fill(&mut x, 1.0)
}

fn main() {}
