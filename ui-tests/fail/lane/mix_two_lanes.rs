// guarantee: a brand of `lane!` is that of one stream
// message: temporary value dropped while borrowed
use antecede::{AnyStream, Result, lane};

fn program(streams: &[AnyStream]) -> Result<()> {
    lane!(a = streams[0]);
    lane!(b = streams[1]);
    let mut x = a.zeroed::<f32>(8)?;
    b.fill(&mut x, 1.0)
}

fn main() {}
