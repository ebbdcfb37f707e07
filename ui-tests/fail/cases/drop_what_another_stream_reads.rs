// guarantee: memory is freed after every stream that reads it, also after those that do not own it
// message: cannot move out of `w` because it is borrowed
// case: FREE-01, FREE-05, FREE-07, FREE-09
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Caller }

fn program(caller: Stream<Caller>, w: Shared<Buffer<f32>>, y: &mut Vec<f32>) -> Result<()> {
    let lease = caller.lease(&w)?;
    drop(w);
    *y = caller.download(&lease)?;
    Ok(())
}

fn main() {}
