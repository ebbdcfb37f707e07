// guarantee: a wait on the legacy default stream is a wait of that stream alone
// message: this buffer is not ready on stream `Queue`
// case: WSTR-05
use antecede::{Buffer, Legacy, Recorded, Result, Stream, streams};

streams! { Queue }

fn program(legacy: Stream<Legacy>, queue: Stream<Queue>, recorded: Recorded<Buffer<f32>>) -> Result<Vec<f32>> {
    let x = legacy.wait(recorded)?;
    queue.download(&x)
}

fn main() {}
