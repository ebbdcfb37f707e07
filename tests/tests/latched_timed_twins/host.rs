//! Pinned memory: one stream is held, and the host goes ahead. 2 is right. (A copy from or to pageable memory returns when
//! it is over: there is nothing to show.)
//!
//! The wrong way, the host waits for `B`, which has nothing to do, instead of `A`.

use crate::held::{Held, LEN, Way, all, complete, warm};
use antecede::{Buffer, Device, DeviceBrand, On, Pinned, Result, Scoped, Stream, Synced};
use antecede_tests::{A, B};

/// `A` copies to pinned memory, the host reads.
pub(crate) fn the_host_reads_a_destination(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let (x, mut p) = (complete(a, LEN, 2)?, pinned(device, a, 1)?);
    held.hold()?;
    a.copy(&x, &mut p)?;
    let p = to_host(device, way, p)?;
    let right = p.as_slice().iter().all(|&element| element == 2);
    a.sync(())?;
    Ok(right)
}

/// `A` copies from pinned memory, the host writes.
pub(crate) fn the_host_writes_a_source(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let (p, mut y) = (pinned(device, a, 2)?, complete(a, LEN, 0)?);
    held.hold()?;
    a.copy(&p, &mut y)?;
    let mut p = to_host(device, way, p)?;
    p.as_mut_slice().fill(1);
    all(a, &y, 2)
}

/// `A` fills pinned memory, the host writes.
pub(crate) fn the_host_writes_what_is_filled(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let mut p = pinned(device, a, 0)?;
    held.hold()?;
    a.fill(&mut p, 1)?;
    let mut p = to_host(device, way, p)?;
    p.as_mut_slice().fill(2);
    a.sync(())?;
    Ok(p.as_slice().iter().all(|&element| element == 2))
}

/// `A` reads its part of pinned memory and drops it, `B` drops the other one, and writes all memory of that size that can
/// be had. The other way, the part of `A` is dropped on `B`.
pub(crate) fn pinned_parts_are_used_again_after_every_part(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let mut y = complete(a, LEN, 0)?;
    let mut source = device.pinned::<u32>(2 * LEN)?;
    source.as_mut_slice().fill(2);
    let (left, right) = source.on(a).into_parts_at(LEN);
    let right = b.take(right)?;
    held.hold()?;
    a.copy(&left, &mut y)?;
    match way {
        Way::HandOver => drop(left),
        Way::WithoutWaiting => drop(way.go(device, b, left)?),
    }
    drop(right);
    // What `B` was to do is done: a block of which that is all is idle.
    b.sync(())?;
    let mut blocks = Vec::new();
    for _ in 0..4 {
        let mut block = device.pinned::<u32>(2 * LEN)?.on(b);
        b.fill(&mut block, 1)?;
        blocks.push(block);
    }
    b.sync(())?;
    all(a, &y, 2)
}

/// Pinned memory of that value, with a stream.
fn pinned<S, D: DeviceBrand>(
    device: Device<D>,
    stream: Stream<S, D>,
    value: u32,
) -> Result<Buffer<u32, On<S, D>, Pinned>> {
    let mut p = device.pinned::<u32>(LEN)?;
    p.as_mut_slice().fill(value);
    Ok(p.on(stream))
}

/// Gives a buffer of `A` to the host.
fn to_host<D: DeviceBrand>(
    device: Device<D>,
    way: Way,
    p: Buffer<u32, On<A, D>, Pinned>,
) -> Result<Buffer<u32, Synced<D>, Pinned>> {
    let (a, b) = device.streams::<(A, B)>()?;
    match way {
        Way::HandOver => Ok(a.sync(p)?),
        Way::WithoutWaiting => Ok(b.sync(way.go(device, b, p)?)?),
    }
}
