// guarantee: the unsafe code in `lane!` is said to be there
#![forbid(unsafe_code)]
use antecede::{AnyStream, Result};

fn program(stream: AnyStream) -> Result<()> {
    stream.with(|lane| lane.zeroed::<f32>(8).map(drop))
}

fn main() {}
