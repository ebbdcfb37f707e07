// guarantee: two streams are two brands, also on one device and out of one function
// message: borrowed data escapes outside of closure
// errors: 2
// case: RAW-09
use antecede::{AnyStream, Result};

/// Each handle has a stream of its own.
struct Handle(AnyStream);

fn program(one: Handle, two: Handle) -> Result<()> {
    one.0.with(|a| {
        two.0.with(|b| {
            let x = a.zeroed::<f32>(8)?;
            let mut y = x;
            b.clear(&mut y)
        })
    })
}

fn main() {}
