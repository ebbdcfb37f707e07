// guarantee: two streams without names are two brands, also in one block
// message: borrowed data escapes outside of closure
// errors: 2
use antecede::{AnyStream, Result};

fn program(streams: &[AnyStream]) -> Result<()> {
    streams[0].with(|a| {
        streams[1].with(|b| {
            let (mut x, mut y) = (a.zeroed::<f32>(8)?, b.zeroed::<f32>(8)?);
            std::mem::swap(&mut x, &mut y);
            a.clear(&mut x)?;
            b.clear(&mut y)
        })
    })
}

fn main() {}
