// guarantee: an event belongs to the buffers that it was recorded for, and is used up with them
// message: use of moved value: `recorded`
// case: VIEW-03
use antecede::{Buffer, On, Recorded, Result, Stream, streams};

streams! { A, B }

fn program(a: Stream<A>, b: Stream<B>, recorded: Recorded<Buffer<f32>>) -> Result<Buffer<f32, On<B>>> {
    let x = a.wait(recorded)?;
    let _ = x;
    Ok(b.wait(recorded)?)
}

fn main() {}
