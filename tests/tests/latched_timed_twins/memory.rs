//! Allocation and free, readers and parts: one stream is held, another goes ahead. 2 is right.

use crate::held::{Held, LEN, Way, all, complete, use_again, warm};
use antecede::{Device, Result, Scoped};
use antecede_tests::{A, B, C};

/// `A` writes and frees, and allocates what may be the same memory; `B` writes that.
pub(crate) fn use_before_the_allocation(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let mut x = complete(a, LEN, 0)?;
    held.hold()?;
    a.fill(&mut x, 1)?;
    drop(x);
    let fresh = (0..4).map(|_| a.alloc::<u32>(LEN)).collect::<Result<Vec<_>>>()?;
    let mut fresh = way.go(device, b, fresh)?;
    for buffer in &mut fresh {
        b.fill(buffer, 2)?;
    }
    b.sync(())?;
    a.sync(())?;
    let mut right = true;
    for buffer in &fresh {
        right &= all(b, buffer, 2)?;
    }
    Ok(right)
}

/// `A` reads; `B` frees, and allocates and writes what may be the same memory.
pub(crate) fn free_after_read(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let (x, mut y) = (complete(a, LEN, 2)?, complete(a, LEN, 0)?);
    held.hold()?;
    a.copy(&x, &mut y)?;
    drop(way.go(device, b, x)?);
    use_again(b, LEN)?;
    all(a, &y, 2)
}

/// `A` reads; legacy frees, and allocates and writes what may be the same memory.
pub(crate) fn free_on_legacy_after_read(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (legacy, a) = (device.legacy()?, device.stream::<A>()?);
    let mut held = Held::new(device, a)?;
    warm(legacy)?;
    let (x, mut y) = (complete(a, LEN, 2)?, complete(a, LEN, 0)?);
    held.hold()?;
    a.copy(&x, &mut y)?;
    drop(way.go(device, legacy, x)?);
    use_again(legacy, LEN)?;
    all(a, &y, 2)
}

/// `A` reads what is shared; it is dropped, and `B` allocates and writes what may be the same memory.
pub(crate) fn a_shared_buffer_is_freed_after_a_reader(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let mut y = complete(a, LEN, 0)?;
    let x = b.share(complete(b, LEN, 2)?)?;
    let lease = a.lease(&x)?;
    held.hold()?;
    a.copy(&lease, &mut y)?;
    drop(lease);
    match way {
        Way::HandOver => drop(x),
        Way::WithoutWaiting => drop(way.go(device, b, a.reunite(x)?)?),
    }
    use_again(b, LEN)?;
    all(a, &y, 2)
}

/// `A` reads what is shared; `B` takes it back and writes. The other way, `A` takes it back, which is after its own
/// reads, and `B` gets it unchecked.
pub(crate) fn a_writer_after_a_reader(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let mut y = complete(a, LEN, 0)?;
    let x = b.share(complete(b, LEN, 2)?)?;
    let lease = a.lease(&x)?;
    held.hold()?;
    a.copy(&lease, &mut y)?;
    drop(lease);
    let mut x = match way {
        Way::HandOver => b.reunite(x)?,
        Way::WithoutWaiting => way.go(device, b, a.reunite(x)?)?,
    };
    b.fill(&mut x, 1)?;
    b.sync(())?;
    all(a, &y, 2)
}

/// `A` and `C` read what is shared, `B` writes. The other way, `B` waits for one of the two readers.
pub(crate) fn a_writer_after_one_of_two_readers(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let (mut y, mut z) = (complete(a, LEN, 0)?, complete(c, LEN, 0)?);
    let x = b.share(complete(b, LEN, 2)?)?;
    let leases = (a.lease(&x)?, c.lease(&x)?);
    held.hold()?;
    a.copy(&leases.0, &mut y)?;
    c.copy(&leases.1, &mut z)?;
    drop(leases);
    let mut x = match way {
        Way::HandOver => b.reunite(x)?,
        Way::WithoutWaiting => {
            b.wait(c.record(())?)?;
            way.go(device, b, a.reunite(x)?)?
        }
    };
    b.fill(&mut x, 1)?;
    b.sync(())?;
    Ok(all(c, &z, 2)? & all(a, &y, 2)?)
}

/// `A` reads its part and drops it; `B` drops the other one, the last, which frees, and writes what may be the same
/// memory. The other way, the part of `A` is dropped on `B`.
pub(crate) fn parts_are_freed_after_every_part(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let mut y = complete(a, LEN, 0)?;
    let (left, right) = complete(a, 2 * LEN, 2)?.into_parts_at(LEN);
    let right = b.take(right)?;
    held.hold()?;
    a.copy(&left, &mut y)?;
    match way {
        Way::HandOver => drop(left),
        Way::WithoutWaiting => drop(way.go(device, b, left)?),
    }
    drop(right);
    use_again(b, 2 * LEN)?;
    all(a, &y, 2)
}

/// `A` writes its part, `B` has the other one and joins the two, and reads the whole.
pub(crate) fn parts_are_joined_after_every_part(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let (mut left, right) = complete(a, 2 * LEN, 1)?.into_parts_at(LEN);
    let mut right = b.take(right)?;
    held.hold()?;
    a.fill(&mut left, 2)?;
    b.fill(&mut right, 2)?;
    let x = way.go(device, b, left)?.unsplit(right)?;
    let right = all(b, &x, 2)?;
    a.sync(())?;
    Ok(right)
}
