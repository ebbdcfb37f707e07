//! Drops in every state and order.

use antecede::{Buffer, Device, DeviceBrand, Loose, Pinned, Result};
use antecede_testkit::mount;
use antecede_tests::{A, B};

mount! { in_every_state, memory_is_used_again_in_order, in_any_order, replaced_fields, of_empty_buffers, assigned_over }

fn in_every_state<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    for _ in 0..3 {
        let fresh = || a.zeroed::<u32>(100);
        drop(fresh()?);
        drop(fresh()?.loose());
        drop(a.sync(fresh()?)?);
        drop(a.record(fresh()?)?);
        drop(b.take(fresh()?)?);
        drop(b.take(a.sync(fresh()?)?)?);
        drop(a.sync(fresh()?)?.loose());
        let (x, y) = a.record((fresh()?, fresh()?))?.split();
        drop(x);
        drop(b.wait(y)?);
        drop(a.record(vec![fresh()?, fresh()?])?.each().next());
    }
    Ok(())
}

/// Freed on one stream, allocated on another, written, and the old writes must not land in it.
fn memory_is_used_again_in_order<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    for round in 0..20 {
        let mut old = a.alloc::<u32>(256)?;
        a.fill(&mut old, 0xdead)?;
        drop(old);
        let mut new = b.alloc::<u32>(256)?;
        b.fill(&mut new, round)?;
        let new = a.take(new)?;
        assert_eq!(a.download(&new)?, [round; 256]);
    }
    Ok(())
}

fn in_any_order<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut three = [a.upload(&[1u32])?.loose(), b.upload(&[2u32])?.loose(), a.sync(a.upload(&[3u32])?)?.loose()];
        for place in order {
            three[place] = Buffer::default();
        }
    }
    Ok(())
}

struct Engine<D> {
    x: Buffer<u32, Loose<D>>,
    host: Buffer<u8, Loose<D>, Pinned>,
}

fn replaced_fields<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut engine = Engine { x: a.upload(&[1])?.loose(), host: device.pinned_from(&[1u8])?.loose() };
    engine.x = b.upload(&[2])?.loose();
    engine.host = device.pinned_from(&[2u8])?.on(b).loose();
    let x = a.take_from(&mut engine.x)?;
    assert_eq!(a.download(&x)?, [2]);
    assert_eq!(b.sync(b.claim(engine.host)?)?.as_slice(), [2]);
    Ok(())
}

fn of_empty_buffers<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    drop(Buffer::<u32, Loose<D>>::default());
    drop(a.alloc::<u32>(0)?);
    drop(a.record(a.alloc::<()>(10)?)?);
    drop(device.pinned::<u32>(0)?);
    Ok(())
}

fn assigned_over<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = a.upload(&[0u32; 64])?;
    for round in 0..10 {
        let mut y = b.take(x)?;
        b.fill(&mut y, round)?;
        x = a.upload(&[round; 64])?;
    }
    assert_eq!(a.download(&x)?, [9; 64]);
    Ok(())
}
