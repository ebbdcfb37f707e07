// guarantee: the host writes memory after the fill that its allocator queued
// message: the host cannot touch this buffer yet: its state is `On<Debug>`
// case: WAW-03
use antecede::{Buffer, Device, On, Pinned, Result, Stream, streams};

streams! { Debug }

fn allocate(device: Device, debug: Stream<Debug>) -> Result<Buffer<u8, On<Debug>, Pinned>> {
    let mut x = device.pinned(64)?.on(debug);
    debug.fill(&mut x, 0xAA)?;
    Ok(x)
}

fn program(device: Device, debug: Stream<Debug>) -> Result<()> {
    let mut x = allocate(device, debug)?;
    x.as_mut_slice()[0] = 1;
    Ok(())
}

fn main() {}
