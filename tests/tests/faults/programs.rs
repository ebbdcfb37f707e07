//! Programs for the sweeps. An operation that reported a failure may have been carried out: what is tried again here
//! gives the same when it is done twice.

use crate::persistent::{again, again_with};
use antecede::{Batch, Buffer, Device, DeviceBrand, Loose, Pinned, Query, Recorded, Result, State};
use antecede_testkit::{Math, Pattern, pattern_word};
use antecede_tests::{A, B, C};
use std::collections::VecDeque;

pub(crate) fn hand_overs<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = again(|| device.streams::<(A, B, C)>())?;
    let mut x = again(|| a.alloc::<u32>(64))?;
    again(|| a.fill(&mut x, 1))?;
    let mut x = again_with(x, |x| b.take(x))?;
    again(|| b.fill(&mut x[32..], 2))?;
    let mut y = again(|| c.zeroed::<u32>(64))?;
    again(|| c.fill(&mut y, 3))?;
    // Two sources: the second hand-over may fail when the first has succeeded.
    let (x, mut y) = again_with((x, y), |both| a.take(both))?;
    again(|| a.copy(&x[..8], &mut y[56..]))?;
    let (x, y) = again_with((x, y), |both| a.sync(both))?;
    let (x, y) = (again(|| x.to_vec())?, again(|| y.to_vec())?);
    assert_eq!((x[0], x[31], x[32], x[63]), (1, 1, 2, 2));
    assert_eq!((y[0], y[55], y[56], y[63]), (3, 3, 1, 1));
    Ok(())
}

#[derive(Batch)]
struct Slot<St: State> {
    #[batch(keep)]
    number: u32,
    words: Buffer<u32, St>,
    more: Vec<Buffer<u32, St>>,
    spare: Option<Buffer<u8, St>>,
}

pub(crate) fn batches_and_records<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = again(|| device.streams::<(A, B, C)>())?;
    let mut slot = Slot {
        number: 7,
        words: again(|| a.zeroed(16))?,
        more: vec![again(|| a.zeroed(16))?, again(|| a.zeroed(16))?],
        spare: Some(again(|| a.zeroed(16))?),
    };
    again(|| a.fill(&mut slot.words, 1))?;
    again(|| a.fill(&mut slot.more[1], 2))?;
    let slot = again_with(slot, |slot| b.take(slot))?;
    let record = again_with(slot, |slot| b.record(slot))?;
    let mut slot = again_with(record, |record| c.wait(record))?;
    again(|| c.fill(&mut slot.more[0], 3))?;
    assert_eq!(slot.number, 7);
    let Slot { words, more, spare, .. } = slot;
    let (words, more) = again_with((words, more), |both| c.record(both))?.split();
    drop(spare);
    let words = again_with(words, |words| a.wait(words))?;
    for (record, expected) in more.each().zip([3, 2]) {
        let mut record = record;
        let found = loop {
            match again_with(record, Recorded::query)? {
                Query::Finished(found) => break found,
                Query::InFlight(still) => record = still,
            }
        };
        assert_eq!(again(|| found.to_vec())?, [expected; 16]);
    }
    let words = again_with(again_with(words, |words| a.record(words))?, Recorded::synchronize)?;
    assert_eq!(again(|| words.to_vec())?, [1; 16]);
    Ok(())
}

pub(crate) fn pinned_ring<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    type Slot<D> = Recorded<(Buffer<u32, Loose<D>, Pinned>, Buffer<u32, Loose<D>>), D>;
    let (a, b) = again(|| device.streams::<(A, B)>())?;
    let mut ring: VecDeque<(u32, Slot<D>)> = VecDeque::new();
    for round in 0..5u32 {
        let (mut host, dev) = match ring.len() {
            2 => {
                let (number, record) = ring.pop_front().expect("two are there");
                let (host, dev) = again_with(record, Recorded::synchronize)?;
                assert_eq!(host.as_slice(), [number; 64]);
                (host, dev.loose())
            }
            _ => (again(|| device.pinned::<u32>(64))?, again(|| a.alloc::<u32>(64))?.loose()),
        };
        host.as_mut_slice().fill(round);
        let (host, mut dev) = again_with((host, dev), |both| a.take(both))?;
        again(|| a.copy(&host, &mut dev))?;
        let (mut host, dev) = again_with((host, dev), |both| b.take(both))?;
        again(|| b.fill(&mut host, 0xdead))?;
        again(|| b.copy(&dev, &mut host))?;
        ring.push_back((round, again_with((host, dev), |both| b.record(both))?));
        // Dropped in flight.
        let mut spare = again(|| device.pinned::<u32>(64))?.on(a);
        again(|| a.fill(&mut spare, round))?;
    }
    Ok(())
}

pub(crate) fn slices<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = again(|| device.streams::<(A, B)>())?;
    let host: Vec<u8> = (0..5_000_000u32).map(|i| (i % 251) as u8).collect();
    let x = again(|| a.upload(&host))?;
    let mut x = again_with(x, |x| b.take(x))?;
    again(|| b.write(&mut x[..3], &[9, 9, 9]))?;
    let mut out = vec![0; host.len()];
    again(|| b.read(&x, &mut out))?;
    assert!(out[..3] == [9, 9, 9] && out[3..] == host[3..]);
    let x = again_with(x, |x| b.sync(x))?;
    assert!(again(|| x.to_vec())? == out);
    Ok(())
}

pub(crate) fn kernels<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = again(|| device.streams::<(A, B)>())?;
    let (math, pattern) = (again(|| device.load::<Math>())?, again(|| device.load::<Pattern>())?);
    let mut words = again(|| a.alloc::<u32>(100))?;
    again(|| pattern.fill_pattern(a, 100, 5, &mut words))?;
    let x = again(|| a.upload(&[1.5f32; 100]))?;
    let mut y = again(|| a.alloc::<f32>(100))?;
    again(|| math.scale(a, 100, 2.0, &x, &mut y))?;
    let (words, y) = again_with((words, y), |both| b.take(both))?;
    let mut bad = again(|| b.alloc::<u32>(1))?;
    again(|| b.fill(&mut bad, u32::MAX))?;
    again(|| pattern.verify_pattern(b, 100, 5, &words, &mut bad))?;
    assert_eq!(again(|| b.download(&bad))?, [u32::MAX]);
    assert_eq!(again(|| b.download(&words))?[99], pattern_word(99, 5));
    assert_eq!(again(|| b.download(&y))?, [3.0; 100]);
    Ok(())
}

pub(crate) fn drops<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = again(|| device.streams::<(A, B)>())?;
    let fresh = || again(|| a.zeroed::<u32>(64));
    drop(fresh()?);
    drop(fresh()?.loose());
    drop(again_with(fresh()?, |x| a.sync(x))?);
    drop(again_with(fresh()?, |x| a.record(x))?);
    drop(again_with(fresh()?, |x| b.take(x))?);
    let (x, y) = again_with((fresh()?, fresh()?), |both| a.record(both))?.split();
    drop(again_with(x, |x| b.wait(x))?);
    drop(y);
    for _ in 0..3 {
        let mut host = again(|| device.pinned::<u32>(64))?.on(a);
        again(|| a.fill(&mut host, 1))?;
        drop(again_with(host, |host| b.take(host))?);
        drop(again(|| device.pinned::<u32>(64))?);
    }
    Ok(())
}

/// Structs that own their buffers: a failed step leaves them as they were.
pub(crate) fn fields<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    struct Engine<D> {
        x: Buffer<u32, Loose<D>>,
        spare: Buffer<u32, Loose<D>>,
    }
    let (a, b) = again(|| device.streams::<(A, B)>())?;
    let mut engine = Engine { x: again(|| a.zeroed(32))?.loose(), spare: again(|| b.zeroed(32))?.loose() };
    for round in 0..4 {
        let mut x = again(|| {
            let taken = b.take_from(&mut engine.x);
            let is_left = if taken.is_ok() { 0 } else { 32 };
            assert_eq!(engine.x.len(), is_left, "the field is as it was, or empty");
            taken
        })?;
        again(|| b.fill(&mut x, round))?;
        engine.x = x.loose();
        let mut pair = (std::mem::take(&mut engine.x), std::mem::take(&mut engine.spare));
        let (x, mut spare) = again(|| a.take_from(&mut pair))?;
        again(|| a.copy(&x, &mut spare))?;
        (engine.x, engine.spare) = (spare.loose(), x.loose());
    }
    let x = again_with(engine.x, |x| a.claim(x))?;
    assert_eq!(again(|| a.download(&x))?, [3; 32]);
    Ok(())
}

/// Parts on two streams, joined again, and parts that are dropped before their siblings.
pub(crate) fn parts<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = again(|| device.streams::<(A, B)>())?;
    for joined in [true, false] {
        let x = again(|| a.zeroed::<u32>(64))?;
        let (mut left, right) = x.into_parts_at(32);
        let mut right = again_with(right, |right| b.take(right))?;
        again(|| a.fill(&mut left, 1))?;
        again(|| b.fill(&mut right, 2))?;
        if joined {
            let right = again_with(right, |right| a.take(right))?;
            let x = left.unsplit(right)?;
            let x = again(|| a.download(&x))?;
            assert_eq!((x[0], x[31], x[32], x[63]), (1, 1, 2, 2));
        } else {
            drop(left); // not the last of its parent: one record
            assert_eq!(again(|| b.download(&right))?, [2; 32]);
        }
    }
    let mut many = again(|| a.zeroed::<u32>(60))?.into_parts(3);
    let last = many.pop();
    let record = again_with(many, |many| a.record(many))?;
    drop(last);
    drop(again_with(record, |record| b.wait(record))?);
    Ok(())
}

/// Readers on several streams: joined, released early, dropped with the shared buffers.
pub(crate) fn readers<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = again(|| device.streams::<(A, B, C)>())?;
    let mut x = again(|| a.zeroed::<u32>(64))?;
    again(|| a.fill(&mut x, 1))?;
    let (mut y, mut z) = (again(|| b.zeroed::<u32>(64))?, again(|| c.zeroed::<u32>(64))?);
    let shared = again_with(x, |x| a.share(x))?;
    again(|| b.copy(&*again(|| b.lease(&shared))?, &mut y))?;
    again(|| c.copy(&*again(|| c.lease(&shared))?, &mut z))?;
    let lease = again(|| b.lease(&shared))?;
    // A failed release is a reader that `reunite` joins.
    drop(lease.release());
    let mut x = again_with(shared, |shared| a.reunite(shared))?;
    again(|| a.fill(&mut x, 2))?;
    assert_eq!((again(|| b.download(&y))?, again(|| c.download(&z))?), (vec![1; 64], vec![1; 64]));
    assert_eq!(again(|| a.download(&x))?, [2; 64]);
    let shared = again_with((again_with(x, |x| b.take(x))?, y), |both| b.share(both))?;
    let lease = again(|| c.lease(&shared))?;
    again(|| c.copy(&lease.0, &mut z))?;
    drop(lease);
    drop(shared); // with two readers
    Ok(())
}
