// guarantee: the unsafe code in `lane!` is said to be there
// message: allow(unsafe_code) incompatible with previous forbid
#![forbid(unsafe_code)]
use antecede::{AnyStream, Result};

fn program(stream: AnyStream) -> Result<()> {
    antecede::lane!(lane = stream);
    lane.zeroed::<f32>(8).map(drop)
}

fn main() {}
