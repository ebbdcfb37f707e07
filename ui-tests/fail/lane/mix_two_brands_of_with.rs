// guarantee: a brand of `with` is that of one stream
// message: borrowed data escapes outside of closure
// errors: 2
// case: RAW-09
use antecede::{AnyStream, Result};

fn program(streams: &[AnyStream]) -> Result<()> {
    streams[0].with(|a| {
        streams[1].with(|b| {
            let mut x = a.zeroed::<f32>(8)?;
            b.clear(&mut b.zeroed::<f32>(8)?)?;
            b.fill(&mut x, 1.0)
        })
    })
}

fn main() {}
