// guarantee: a library's memory is not used on a stream that another library chose, unless it is ready there
// message: this buffer is not ready on stream `Lane<'id>`
// case: SEED-5
use antecede::{Device, Lane, Result, Stream, streams};

streams! { Mine }

/// `theirs` is the other library's current stream, adopted.
fn program<'id>(device: Device, theirs: Stream<Lane<'id>>) -> Result<()> {
    let mine = device.stream::<Mine>()?;
    let mut x = mine.zeroed::<f32>(64)?;
    theirs.fill(&mut x[8..16], 1.0)
}

fn main() {}
