// guarantee: no side effect of another call makes a buffer complete
// message: the host cannot touch this buffer yet: its state is `On<Caller>`
// case: LEG-07
use antecede::{Buffer, On, Pinned, Result, Stream, streams};

streams! { Caller }

fn program(caller: Stream<Caller>, result: Buffer<f32, On<Caller>, Pinned>) -> Result<f32> {
    let workspace = caller.zeroed::<f32>(64)?;
    drop(workspace);
    Ok(result.as_slice()[0])
}

fn main() {}
