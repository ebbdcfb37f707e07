//! `take`: from one stream to another, and within one.

use antecede::{Device, DeviceBrand, Result};
use antecede_testkit::mount;
use antecede_tests::{A, B, C, E};

mount! {
    same_stream_use, hand_over, hand_over_from_synced, there_and_back, join_of_four, chain_through_all_streams,
    fork_into_parts_of_a_batch, repeated_ping_pong, take_from_a_field, sync_then_another_stream,
}

fn same_stream_use<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let mut x = a.zeroed::<u32>(64)?;
    for i in 0..10 {
        a.fill(&mut x[i..], i as u32)?;
    }
    let x = a.take(x)?;
    let x = a.download(&x)?;
    assert!(x.iter().enumerate().all(|(i, &v)| v == i.min(9) as u32));
    Ok(())
}

fn hand_over<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = a.alloc::<u32>(1000)?;
    a.fill(&mut x, 7)?;
    let x = b.take(x)?;
    let mut y = b.alloc(1000)?;
    b.copy(&x, &mut y)?;
    assert_eq!(b.download(&y)?, [7; 1000]);
    Ok(())
}

fn hand_over_from_synced<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let x = a.sync(a.upload(&[1u8, 2, 3])?)?;
    let mut x = b.take(x)?;
    b.fill(&mut x[1..2], 9)?;
    let x = b.sync(x)?;
    let x = x.on(c);
    assert_eq!(c.download(&x)?, [1, 9, 3]);
    Ok(())
}

fn there_and_back<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = a.zeroed::<u16>(100)?;
    a.fill(&mut x[..50], 1)?;
    let mut x = b.take(x)?;
    b.fill(&mut x[50..], 2)?;
    let mut x = a.take(x)?;
    a.fill(&mut x[25..75], 3)?;
    let x = a.download(&x)?;
    assert_eq!((x[0], x[24], x[25], x[74], x[75], x[99]), (1, 1, 3, 3, 2, 2));
    Ok(())
}

fn join_of_four<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c, e) = device.streams::<(A, B, C, E)>()?;
    let (mut w, mut x, mut y, mut z) = (a.alloc(32)?, b.alloc(32)?, c.alloc(32)?, e.alloc(32)?);
    a.fill(&mut w, 1u32)?;
    b.fill(&mut x, 2)?;
    c.fill(&mut y, 3)?;
    e.fill(&mut z, 4)?;
    let (w, x, y, z) = a.take((w, x, y, z))?;
    let mut all = a.alloc::<u32>(128)?;
    for (i, part) in [&w, &x, &y, &z].into_iter().enumerate() {
        a.copy(part, &mut all[32 * i..32 * (i + 1)])?;
    }
    let all = a.download(&all)?;
    assert!(all.iter().enumerate().all(|(i, &v)| v == i as u32 / 32 + 1));
    Ok(())
}

fn chain_through_all_streams<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c, e) = device.streams::<(A, B, C, E)>()?;
    let mut x = a.zeroed::<u32>(4)?;
    a.fill(&mut x[0..1], 1)?;
    let mut x = b.take(x)?;
    b.fill(&mut x[1..2], 2)?;
    let mut x = c.take(x)?;
    c.fill(&mut x[2..3], 3)?;
    let mut x = e.take(x)?;
    e.fill(&mut x[3..4], 4)?;
    assert_eq!(a.take(x)?.len(), 4);
    let mut x = a.zeroed::<u32>(4)?;
    a.fill(&mut x[0..1], 1)?;
    let x = e.take(c.take(b.take(x)?)?)?;
    assert_eq!(e.download(&x)?, [1, 0, 0, 0]);
    Ok(())
}

fn fork_into_parts_of_a_batch<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let (mut x, mut y) = (a.alloc(16)?, a.alloc(16)?);
    a.fill(&mut x, 5u8)?;
    a.fill(&mut y, 6u8)?;
    let (mut x, mut y) = (b.take(x)?, c.take(y)?);
    b.fill(&mut x[8..], 7)?;
    c.fill(&mut y[8..], 8)?;
    let (x, y) = a.take((x, y))?;
    let (x, y) = (a.download(&x)?, a.download(&y)?);
    assert_eq!((x[0], x[15], y[0], y[15]), (5, 7, 6, 8));
    Ok(())
}

fn repeated_ping_pong<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let (mut front, mut back) = (a.zeroed::<u32>(8)?, a.zeroed::<u32>(8)?);
    for round in 0..20 {
        a.fill(&mut front[..4], round)?;
        a.copy(&front, &mut back)?;
        let (f, mut p) = b.take((front, back))?;
        b.fill(&mut p[4..], round)?;
        (back, front) = a.take((f, p))?;
    }
    assert_eq!(a.download(&front)?, [19; 8]);
    Ok(())
}

fn take_from_a_field<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut place = a.upload(&[1u32, 2])?.loose();
    let mut x = b.take_from(&mut place)?;
    assert_eq!(place.len(), 0, "an empty buffer is left");
    b.fill(&mut x[..1], 3)?;
    place = x.loose();
    let x = a.take_from(&mut place)?;
    assert_eq!(a.download(&x)?, [3, 2]);
    Ok(())
}

fn sync_then_another_stream<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let mut x = a.alloc::<i32>(10)?;
    a.fill(&mut x, -1)?;
    let x = a.sync(x)?;
    assert_eq!(x.to_vec()?, [-1; 10]);
    let mut x = x.on(b);
    b.fill(&mut x[..5], 1)?;
    let x = b.sync(x)?;
    assert_eq!(x.to_vec()?, [1, 1, 1, 1, 1, -1, -1, -1, -1, -1]);
    Ok(())
}
