// guarantee: a copy on the legacy default stream is ordered before no non-blocking stream
// message: this buffer is not ready on stream `Compute`
// case: LEG-01, LEG-03
use antecede::{Legacy, Result, Stream, streams};

streams! { Compute }

fn program(legacy: Stream<Legacy>, compute: Stream<Compute>, host: &[f32]) -> Result<Vec<f32>> {
    let x = legacy.upload(host)?;
    compute.download(&x)
}

fn main() {}
