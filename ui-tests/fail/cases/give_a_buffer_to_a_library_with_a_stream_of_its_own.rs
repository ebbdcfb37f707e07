// guarantee: the stream that a library works on is in its signature
// message: expected `Buffer<u8, On<Transfer>>`, found `Buffer<u8, On<PerThread>>`
// case: RAW-05, LEG-05
use antecede::{Buffer, On, PerThread, Result, Stream, streams};

streams! { Transfer }

/// The library's entry: it works on a stream that the caller does not see.
fn send(_: Buffer<u8, On<Transfer>>) {}

fn program(mine: Stream<PerThread>, transfer: Stream<Transfer>) -> Result<()> {
    let x = mine.zeroed::<u8>(64)?;
    send(x);
    let _ = transfer;
    Ok(())
}

fn main() {}
