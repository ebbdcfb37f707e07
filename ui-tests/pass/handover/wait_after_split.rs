// guarantee: a record that was split is gone
use antecede::{Buffer, On, Recorded, Result, Stream, streams};

streams! { Compute }

type Pair = (Buffer<f32>, Buffer<f32>);

fn program(compute: Stream<Compute>, recorded: Recorded<Pair>) -> Result<Buffer<f32, On<Compute>>> {
    let (first, second) = recorded.split();
    drop(second);
    Ok(compute.wait(first)?)
}

fn main() {}
