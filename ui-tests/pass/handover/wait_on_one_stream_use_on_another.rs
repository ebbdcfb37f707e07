// guarantee: a wait makes a buffer ready on the waiting stream only
use antecede::{Buffer, Recorded, Result, Stream, streams};

streams! { Compute, Download }

fn program(compute: Stream<Compute>, download: Stream<Download>, x: Recorded<Buffer<f32>>) -> Result<Vec<f32>> {
    let x = compute.wait(x)?;
    let x = download.take(x)?;
    download.download(&x)
}

fn main() {}
