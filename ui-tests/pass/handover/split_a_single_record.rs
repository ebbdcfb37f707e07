// guarantee: a record is split along its batch, not within a buffer
use antecede::{Buffer, Recorded};

fn program(recorded: Recorded<(Buffer<f32>, Buffer<f32>)>) -> (Recorded<Buffer<f32>>, Recorded<Buffer<f32>>) {
    recorded.split()
}

fn main() {}
