// guarantee: a shared buffer is written after all of its readers
// message: expected `&mut View<_, _>`, found `&mut Shared<Buffer<f32>>`
// case: WAR-03, WAW-01
use antecede::{Buffer, Result, Shared, Stream, streams};

streams! { Forward, Schedule }

fn program(forward: Stream<Forward>, schedule: Stream<Schedule>, state: Shared<Buffer<f32>>) -> Result<()> {
    drop(forward.download(&forward.lease(&state)?)?);
    let mut state = state;
    schedule.clear(&mut state)
}

fn main() {}
