//! Accesses on two streams: one stream is held, another goes ahead. 2 is right.

use crate::held::{Held, LEN, Way, all, complete, warm};
use antecede::{Device, Result, Scoped};
use antecede_tests::{A, B, C, P, Q};

/// `A` writes, `B` reads.
pub(crate) fn read_after_write(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let mut x = complete(a, LEN, 1)?;
    held.hold()?;
    a.fill(&mut x, 2)?;
    let x = way.go(device, b, x)?;
    let right = all(b, &x, 2)?;
    a.sync(())?;
    Ok(right)
}

/// `A` reads, `B` writes.
pub(crate) fn write_after_read(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let (x, mut y) = (complete(a, LEN, 2)?, complete(a, LEN, 0)?);
    held.hold()?;
    a.copy(&x, &mut y)?;
    let mut x = way.go(device, b, x)?;
    b.fill(&mut x, 1)?;
    b.sync(())?;
    all(a, &y, 2)
}

/// `A` writes, `B` writes.
pub(crate) fn write_after_write(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let mut x = complete(a, LEN, 0)?;
    held.hold()?;
    a.fill(&mut x, 1)?;
    let mut x = way.go(device, b, x)?;
    b.fill(&mut x, 2)?;
    b.sync(())?;
    a.sync(())?;
    all(b, &x, 2)
}

/// `A` copies a view of a buffer, `B` changes the whole.
pub(crate) fn write_while_a_view_is_copied(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let (x, mut y) = (complete(a, 2 * LEN, 2)?, complete(a, LEN, 0)?);
    held.hold()?;
    a.copy(x.get(LEN..2 * LEN).expect("it is inside"), &mut y)?;
    let mut x = way.go(device, b, x)?;
    b.fill(&mut x, 1)?;
    b.sync(())?;
    all(a, &y, 2)
}

/// `B` waits for an event that `A` recorded before its write.
pub(crate) fn read_after_a_record_that_was_too_early(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let early = a.record(())?;
    let mut x = complete(a, LEN, 1)?;
    held.hold()?;
    a.fill(&mut x, 2)?;
    b.wait(early)?;
    let x = way.go(device, b, x)?;
    let right = all(b, &x, 2)?;
    a.sync(())?;
    Ok(right)
}

/// `B` waits for an event that was recorded after the write of `A`, on `C`.
pub(crate) fn read_after_the_event_of_another_stream(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    warm(c)?;
    let mut x = complete(a, LEN, 1)?;
    held.hold()?;
    a.fill(&mut x, 2)?;
    b.wait(c.record(())?)?;
    let x = way.go(device, b, x)?;
    let right = all(b, &x, 2)?;
    a.sync(())?;
    Ok(right)
}

/// `A` writes one buffer and `C` another; `B` waits for `C`, and reads both.
pub(crate) fn read_after_one_of_two_is_joined(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    warm(c)?;
    let (mut x, mut y) = (complete(a, LEN, 1)?, complete(c, LEN, 1)?);
    held.hold()?;
    a.fill(&mut x, 2)?;
    c.fill(&mut y, 2)?;
    let y = b.take(y)?;
    let x = way.go(device, b, x)?;
    let right = all(b, &y, 2)? && all(b, &x, 2)?;
    a.sync(())?;
    Ok(right)
}

/// `A` writes; the host waits for `C` and for legacy, which is no wait for the device; `B` reads.
pub(crate) fn read_after_the_host_waits_for_other_streams(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (legacy, (a, b, c)) = (device.legacy()?, device.streams::<(A, B, C)>()?);
    let mut held = Held::new(device, a)?;
    warm(b)?;
    warm(c)?;
    warm(legacy)?;
    let mut x = complete(a, LEN, 1)?;
    held.hold()?;
    a.fill(&mut x, 2)?;
    c.sync(())?;
    legacy.sync(())?;
    let x = match way {
        Way::HandOver => a.sync(x)?.on(b),
        Way::WithoutWaiting => way.go(device, b, x)?,
    };
    let right = all(b, &x, 2)?;
    a.sync(())?;
    Ok(right)
}

/// Legacy allocates and writes, a non-blocking stream writes.
pub(crate) fn non_blocking_writes_after_legacy(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (legacy, a) = (device.legacy()?, device.stream::<A>()?);
    let mut held = Held::new(device, legacy)?;
    warm(a)?;
    let mut x = complete(legacy, LEN, 0)?;
    held.hold()?;
    legacy.fill(&mut x, 1)?;
    let mut x = way.go(device, a, x)?;
    a.fill(&mut x, 2)?;
    a.sync(())?;
    legacy.sync(())?;
    all(a, &x, 2)
}

/// Legacy copies, a non-blocking stream reads.
pub(crate) fn non_blocking_reads_after_legacy(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (legacy, a) = (device.legacy()?, device.stream::<A>()?);
    let mut held = Held::new(device, legacy)?;
    warm(a)?;
    let (x, mut y) = (complete(legacy, LEN, 2)?, complete(legacy, LEN, 1)?);
    held.hold()?;
    legacy.copy(&x, &mut y)?;
    let y = way.go(device, a, y)?;
    let right = all(a, &y, 2)?;
    legacy.sync(())?;
    Ok(right)
}

/// From a blocking stream to legacy it costs nothing and is right; from a non-blocking one nothing is not enough.
pub(crate) fn legacy_after_a_non_blocking_stream(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (legacy, a) = (device.legacy()?, device.stream::<A>()?);
    let mut held = Held::new(device, a)?;
    warm(legacy)?;
    let mut x = complete(a, LEN, 0)?;
    held.hold()?;
    a.fill(&mut x, 1)?;
    let mut x = way.go(device, legacy, x)?;
    legacy.fill(&mut x, 2)?;
    legacy.sync(())?;
    a.sync(())?;
    all(legacy, &x, 2)
}

/// Two blocking streams, by way of the legacy default stream: `P` writes, `Q` writes. The one record on legacy between
/// the two is what orders them. The other way nothing is submitted to legacy, and the two conversions order nothing.
pub(crate) fn from_blocking_through_legacy_to_blocking(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (legacy, (p, q)) = (device.legacy()?, device.streams::<(P, Q)>()?);
    let mut held = Held::new(device, p)?;
    warm(q)?;
    let mut x = complete(p, LEN, 0)?;
    held.hold()?;
    p.fill(&mut x, 1)?;
    let x = way.go(device, legacy, x)?;
    let mut x = way.go(device, q, x)?;
    q.fill(&mut x, 2)?;
    q.sync(())?;
    p.sync(())?;
    all(q, &x, 2)
}

/// `A` writes; a buffer of `B` is freed, which is no wait; `B` reads.
pub(crate) fn read_after_a_free_that_is_no_wait(device: Device<Scoped<'_>>, way: Way) -> Result<bool> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut held = Held::new(device, a)?;
    warm(b)?;
    let (mut x, other) = (complete(a, LEN, 1)?, complete(b, LEN, 0)?);
    held.hold()?;
    a.fill(&mut x, 2)?;
    drop(other);
    let x = way.go(device, b, x)?;
    let right = all(b, &x, 2)?;
    a.sync(())?;
    Ok(right)
}

/// What needs no call is right without one: from a blocking stream to legacy.
pub(crate) fn legacy_after_a_blocking_stream(device: Device<Scoped<'_>>) -> Result<bool> {
    let (legacy, p) = (device.legacy()?, device.stream::<P>()?);
    let mut held = Held::new(device, p)?;
    let mut x = complete(p, LEN, 0)?;
    held.hold()?;
    p.fill(&mut x, 1)?;
    let mut x = legacy.after_blocking(p, x);
    legacy.fill(&mut x, 2)?;
    legacy.sync(())?;
    p.sync(())?;
    all(legacy, &x, 2)
}
