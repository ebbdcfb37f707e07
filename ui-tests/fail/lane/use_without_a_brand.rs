// guarantee: nothing is submitted to a stream that no type names
// message: no method named `fill` found
use antecede::{AnyStream, Buffer, Result, lane};

fn program(stream: AnyStream, place: &mut Buffer<f32>) -> Result<()> {
    lane!(lane = stream);
    let mut x = lane.take_from(place)?;
    stream.fill(&mut x, 1.0)
}

fn main() {}
