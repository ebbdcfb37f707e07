//! Parts of one allocation, each on a stream of its own.

use antecede::{Device, DeviceBrand, Error, Result};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B, C};
use std::thread;

mount! {
    apart_and_together_again, freed_once_in_any_order, parts_of_parts_on_threads, pinned_parts,
    only_neighbours_come_together,
}

fn apart_and_together_again<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let math = device.load::<Math>()?;
    let mut x = a.upload(&[1u32, 2, 3, 4, 5])?;
    for _ in 0..5 {
        let (left, right) = x.into_parts_at(2);
        let (mut left, mut right) = (b.take(left)?, c.take(right)?);
        math.increment(b, 2, &mut left)?;
        math.increment(c, 3, &mut right)?;
        math.increment(c, 1, &mut right[2..])?;
        let (left, right) = a.take((left, right))?;
        x = left.unsplit(right)?;
        math.increment(a, 5, &mut x)?;
    }
    assert_eq!(a.download(&x)?, [11, 12, 13, 14, 20]);
    Ok(())
}

/// And the memory is had again at once, on a stream that used none of the parts.
fn freed_once_in_any_order<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut parts = a.zeroed::<u32>(3 * 1024)?.into_parts(3).into_iter();
        let mut next = || parts.next().expect("three parts");
        let (mut x, mut y, z) = (b.take(next())?, c.take(next())?, next());
        let mut copies = (b.alloc(1024)?, c.alloc(1024)?);
        b.fill(&mut x, 1)?;
        b.copy(&x, &mut copies.0)?;
        c.fill(&mut y, 2)?;
        c.copy(&y, &mut copies.1)?;
        let mut parts = [Some(x.loose()), Some(y.loose()), Some(z.loose())];
        for index in order {
            drop(parts[index].take());
        }
        let mut again = a.alloc::<u32>(3 * 1024)?;
        a.fill(&mut again, 9)?;
        assert_eq!((b.download(&copies.0)?, c.download(&copies.1)?), (vec![1; 1024], vec![2; 1024]));
        assert_eq!(a.download(&again)?, [9; 3 * 1024]);
    }
    Ok(())
}

fn parts_of_parts_on_threads<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let math = device.load::<Math>()?;
    let chunks = a.zeroed::<u32>(100)?.into_chunks(30);
    let done = thread::scope(|scope| {
        let workers = chunks.into_iter().enumerate().map(|(index, chunk)| {
            scope.spawn(move || {
                let (b, c) = device.streams::<(B, C)>()?;
                let (left, right) = chunk.into_parts_at(7);
                let (mut left, mut right) = (b.take(left)?, c.take(right)?);
                b.fill(&mut left, index as u32)?;
                math.increment(c, right.len() as u32, &mut right)?;
                Ok::<_, Error>(b.take((left, right)).map(|(left, right)| left.unsplit(right))??.loose())
            })
        });
        let workers: Vec<_> = workers.collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Result<Vec<_>>>()
    })?;
    let mut chunks = a.take(done)?.into_iter();
    let mut whole = chunks.next().expect("four chunks");
    for chunk in chunks {
        whole = whole.unsplit(chunk)?;
    }
    let expected = (0..100).map(|i| if i % 30 < 7 { i / 30 } else { 1 }).collect::<Vec<u32>>();
    assert_eq!(a.download(&whole)?, expected);
    Ok(())
}

/// The host's memory is not written by its next owner before both streams have read it.
fn pinned_parts<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    for round in 1..10u32 {
        let mut source = device.pinned::<u32>(2048)?;
        source.as_mut_slice().fill(round);
        let (left, right) = source.on(a).into_parts_at(1024);
        let right = b.take(right)?;
        let (mut x, mut y) = (a.alloc(1024)?, b.alloc(1024)?);
        a.copy(&left, &mut x)?;
        b.copy(&right, &mut y)?;
        drop(left);
        drop(right);
        device.pinned::<u32>(2048)?.as_mut_slice().fill(99);
        assert_eq!((a.download(&x)?, b.download(&y)?), (vec![round; 1024], vec![round; 1024]));
    }
    // The host uses one part while the device uses the other.
    let (left, mut right) = device.pinned_from(&[1u32, 2, 3, 4])?.into_parts_at(2);
    let mut left = left.on(a);
    a.fill(&mut left, 7)?;
    right.as_mut_slice()[0] = 8;
    let whole = a.sync(left)?.unsplit(right)?;
    assert_eq!(whole.as_slice(), [7, 7, 8, 4]);
    Ok(())
}

fn only_neighbours_come_together<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let (x, rest) = a.upload(&[1u32, 2, 3])?.into_parts_at(1);
    let (y, z) = rest.into_parts_at(1);
    let failed = x.unsplit(z).expect_err("`y` is between them");
    let (x, z) = failed.buffers;
    let failed = y.unsplit(x).expect_err("the wrong way round");
    let (y, x) = failed.buffers;
    assert_eq!(a.download(&x.unsplit(y)?.unsplit(z)?)?, [1, 2, 3]);
    Ok(())
}
