//! Disjoint parts of one allocation on streams of their own, and many readers of one buffer.
//!
//! case: FP-05, FP-21, WAW-01, WAR-03, WSTR-01, FREE-09

use crate::{FREE, HAND_OVER, costs, warm_up};
use antecede_testkit::{Math, on_sim};
use antecede_tests::{A, B, C, E};
use antecede_trace::Call;

/// Work on one part never waits for work on the other.
#[test]
fn disjoint_parts_are_written_on_two_streams() {
    on_sim(|device, bench| {
        let (a, b, math) = (device.stream::<A>()?, device.stream::<B>()?, device.load::<Math>()?);
        warm_up(a)?;
        let x = a.zeroed::<u32>(8)?;
        let (mut left, right) = costs(bench, FREE, || Ok(x.into_parts_at(4)))?;
        let mut right = costs(bench, HAND_OVER, || Ok(b.take(right)?))?;
        costs(bench, [(Call::Launch, 2)], || {
            math.increment(a, 4, &mut left)?;
            math.increment(b, 4, &mut right)
        })?;
        let right = costs(bench, HAND_OVER, || Ok(a.take(right)?))?;
        let whole = costs(bench, FREE, || Ok(left.unsplit(right)?))?;
        assert_eq!(a.download(&whole)?, [1; 8]);
        Ok(())
    });
}

/// A bucket that three hooks fill on three streams is reduced after all of them.
#[test]
fn a_whole_waits_for_every_stream_that_filled_a_part() {
    on_sim(|device, bench| {
        let (a, b, c, reduce) = device.streams::<(A, B, C, E)>()?;
        warm_up(a)?;
        let mut parts = reduce.zeroed::<u32>(12)?.into_parts(3).into_iter();
        let mut next = || parts.next().expect("three parts");
        let (mut x, mut y, mut z) = (a.take(next())?, b.take(next())?, c.take(next())?);
        a.fill(&mut x, 1)?;
        b.fill(&mut y, 2)?;
        c.fill(&mut z, 3)?;
        let joins = [(Call::EventRecord, 3), (Call::EventWait, 3)];
        let (x, y, z) = costs(bench, joins, || Ok(reduce.take((x, y, z))?))?;
        let whole = x.unsplit(y)?.unsplit(z)?;
        assert_eq!(reduce.download(&whole)?, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
        Ok(())
    });
}

/// Weights that every stream reads: a wait at the first read of a stream, and nothing for each later one.
#[test]
fn weights_are_read_by_many_streams_at_once() {
    on_sim(|device, bench| {
        let (a, b, c, math) =
            (device.stream::<A>()?, device.stream::<B>()?, device.stream::<C>()?, device.load::<Math>()?);
        warm_up(a)?;
        let w = a.share(a.upload(&[2.0f32; 4])?)?;
        let (mut y, mut z) = (b.zeroed::<f32>(4)?, c.zeroed::<f32>(4)?);
        let first = [(Call::EventWait, 2), (Call::Launch, 2)];
        let later = [(Call::Launch, 2)];
        for round in 0..4 {
            let step = || {
                math.saxpy(b, 4, 1.0, &b.lease(&w)?, &mut y)?;
                math.saxpy(c, 4, 1.0, &c.lease(&w)?, &mut z)
            };
            match round {
                0 => costs(bench, first, step)?,
                _ => costs(bench, later, step)?,
            }
        }
        assert_eq!((b.download(&y)?, c.download(&z)?), (vec![8.0; 4], vec![8.0; 4]));
        drop(w);
        Ok(())
    });
}

/// Two offloads read a block; who overwrites it waits for both, and for the first one's stream although the second has
/// read later.
#[test]
fn a_block_is_overwritten_after_every_reader() {
    on_sim(|device, bench| {
        let (compute, one, two) = device.streams::<(A, B, C)>()?;
        warm_up(compute)?;
        let block = compute.share(compute.upload(&[5u32; 4])?)?;
        let (mut x, mut y) = (one.alloc::<u32>(4)?, two.alloc::<u32>(4)?);
        one.copy(&one.lease(&block)?, &mut x)?;
        two.copy(&two.lease(&block)?, &mut y)?;
        let joins = [(Call::EventRecord, 2), (Call::EventWait, 2)];
        let mut block = costs(bench, joins, || Ok(compute.reunite(block)?))?;
        compute.fill(&mut block, 6)?;
        assert_eq!((one.download(&x)?, two.download(&y)?), (vec![5; 4], vec![5; 4]));
        Ok(())
    });
}

/// The owner drops; the free is after the reader, and the host waits for nobody.
#[test]
fn memory_is_freed_after_a_reader_that_does_not_own_it() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        warm_up(a)?;
        let x = a.share(a.upload(&[5u32; 4])?)?;
        let mut y = b.alloc::<u32>(4)?;
        b.copy(&b.lease(&x)?, &mut y)?;
        let calls = [(Call::EventRecord, 1), (Call::EventWait, 1), (Call::Free, 1)];
        costs(bench, calls, || {
            drop(x);
            Ok(())
        })?;
        let mut next = a.alloc::<u32>(4)?;
        a.fill(&mut next, 9)?;
        assert_eq!(b.download(&y)?, [5; 4]);
        Ok(())
    });
}
