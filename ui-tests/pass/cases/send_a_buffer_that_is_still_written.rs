// guarantee: who knows no streams is given what is complete
// case: HOST-05
use antecede::{Buffer, Result, Stream, Synced, streams};

streams! { Default }

/// A network library: no streams in its interface. The adapter reads or writes the memory by itself.
fn send(_: Buffer<u8, Synced>) {}
fn receive(_: &mut Buffer<u8, Synced>) {}

fn program(default: Stream<Default>) -> Result<()> {
    let (x, mut y) = default.sync((default.zeroed::<u8>(64)?, default.alloc::<u8>(64)?))?;
    send(x);
    receive(&mut y);
    Ok(())
}

fn main() {}
