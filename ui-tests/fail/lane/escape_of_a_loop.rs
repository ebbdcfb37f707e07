// guarantee: a brand of `lane!` ends with its block: the next round has another
// message: temporary value dropped while borrowed
use antecede::{AnyStream, Buffer, Result, lane};

fn program(streams: &[AnyStream]) -> Result<()> {
    let mut last: Buffer<f32, _> = Buffer::default();
    for &stream in streams {
        lane!(lane = stream);
        let mut x = lane.claim(last)?;
        lane.fill(&mut x, 1.0_f32)?;
        last = x;
    }
    Ok(())
}

fn main() {}
