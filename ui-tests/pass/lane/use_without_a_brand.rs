// guarantee: nothing is submitted to a stream that no type names
use antecede::{AnyStream, Buffer, Result, lane};

fn program(stream: AnyStream, place: &mut Buffer<f32>) -> Result<()> {
    lane!(lane = stream);
    let mut x = lane.take_from(place)?;
    lane.fill(&mut x, 1.0)
}

fn main() {}
