//! The legacy default stream, the blocking streams, and each thread's own.

use antecede::{Buffer, Device, DeviceBrand, On, Result, Stream};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, P, Q};
use std::thread;

mount! {
    blocking_to_legacy_and_back, legacy_and_a_non_blocking_stream, from_blocking_through_legacy_to_blocking,
    synced_with_what_was_before, parts_on_legacy_and_blocking_streams, readers_on_legacy_and_blocking_streams,
    freed_on_legacy, each_thread_has_its_own, what_leaves_a_thread, legacy_from_thread_to_thread,
}

const LEN: usize = 4096;

fn filled<S, D>(stream: Stream<S, D>, value: u32) -> Result<Buffer<u32, On<S, D>>> {
    let mut x = stream.alloc(LEN)?;
    stream.fill(&mut x, value)?;
    Ok(x)
}

/// What became of `1` everywhere, then `2` in the first half, then `3` in the first quarter.
fn layers() -> Vec<u32> {
    [[3; LEN / 4], [2; LEN / 4], [1; LEN / 4], [1; LEN / 4]].concat()
}

fn blocking_to_legacy_and_back<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (legacy, p) = (device.legacy()?, device.stream::<P>()?);
    let mut x = legacy.take(filled(p, 1)?)?;
    legacy.fill(&mut x[..LEN / 2], 2)?;
    let mut x = p.take(x)?;
    p.fill(&mut x[..LEN / 4], 3)?;
    // Without a call, and so without an error.
    let (x, y) = legacy.after_blocking(p, (x, p.zeroed::<u32>(4)?));
    assert_eq!((legacy.download(&x)?, legacy.download(&y)?), (layers(), vec![0; 4]));
    Ok(())
}

fn legacy_and_a_non_blocking_stream<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (legacy, a) = (device.legacy()?, device.stream::<A>()?);
    let mut x = legacy.take(filled(a, 1)?)?;
    legacy.fill(&mut x[..LEN / 2], 2)?;
    let mut x = a.take(x)?;
    a.fill(&mut x[..LEN / 4], 3)?;
    assert_eq!(a.download(&x)?, layers());
    // The same by records.
    let x = legacy.wait(a.record(filled(a, 5)?)?)?;
    let x = a.wait(legacy.record(x)?)?;
    assert_eq!(a.download(&x)?, [5; LEN]);
    Ok(())
}

fn from_blocking_through_legacy_to_blocking<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (legacy, (p, q)) = (device.legacy()?, device.streams::<(P, Q)>()?);
    let mut x = q.take(legacy.take(filled(p, 1)?)?)?;
    q.fill(&mut x[..LEN / 2], 2)?;
    let mut x = p.take(legacy.after_blocking(q, x))?;
    p.fill(&mut x[..LEN / 4], 3)?;
    assert_eq!(p.download(&x)?, layers());
    // A buffer on which legacy has done nothing but allocate it.
    let mut fresh = q.take(legacy.alloc::<u32>(LEN)?)?;
    q.fill(&mut fresh, 4)?;
    assert_eq!(q.download(&fresh)?, [4; LEN]);
    Ok(())
}

/// A sync of one of them is of what the others did to the buffer.
fn synced_with_what_was_before<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (legacy, (p, q)) = (device.legacy()?, device.streams::<(P, Q)>()?);
    let x = filled(p, 5)?;
    let mut target = device.pinned::<u32>(LEN)?.on(p);
    p.copy(&x, &mut target)?;
    let target = legacy.sync(legacy.take(target)?)?;
    assert_eq!(target.as_slice(), [5; LEN]);
    let mut target = target.on(legacy);
    legacy.fill(&mut target, 6)?;
    let target = q.sync(q.take(target)?)?;
    assert_eq!(target.as_slice(), [6; LEN]);
    Ok(())
}

fn parts_on_legacy_and_blocking_streams<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (legacy, a, (p, q)) = (device.legacy()?, device.stream::<A>()?, device.streams::<(P, Q)>()?);
    for last in 0..3 {
        let mut parts = p.zeroed::<u32>(3 * LEN)?.into_parts(3).into_iter();
        let mut next = || parts.next().expect("three parts");
        let (mut x, mut y, mut z) = (legacy.take(next())?, q.take(legacy.take(next())?)?, next());
        let mut copy = legacy.alloc(LEN)?;
        legacy.fill(&mut x, 1)?;
        legacy.copy(&x, &mut copy)?;
        q.fill(&mut y, 2)?;
        p.fill(&mut z, 3)?;
        match last {
            0 => drop((z, y, x)),
            1 => drop((x, z, y)),
            _ => drop((y, x, z)),
        }
        let mut again = a.alloc::<u32>(3 * LEN)?;
        a.fill(&mut again, 9)?;
        assert_eq!((a.download(&again)?, legacy.download(&copy)?), (vec![9; 3 * LEN], vec![1; LEN]));
    }
    Ok(())
}

fn readers_on_legacy_and_blocking_streams<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (legacy, (p, q)) = (device.legacy()?, device.streams::<(P, Q)>()?);
    let mut copies = (legacy.alloc(LEN)?, p.alloc(LEN)?, q.alloc(LEN)?);
    let x = p.share(filled(p, 1)?)?;
    legacy.copy(&legacy.lease(&x)?, &mut copies.0)?;
    p.copy(&p.lease(&x)?, &mut copies.1)?;
    q.copy(&q.lease(&x)?, &mut copies.2)?;
    let mut x = q.reunite(x)?;
    q.fill(&mut x, 2)?;
    assert_eq!((legacy.download(&copies.0)?, p.download(&copies.1)?), (vec![1; LEN], vec![1; LEN]));
    assert_eq!(q.download(&copies.2)?, [1; LEN]);
    let x = q.share(x)?;
    p.copy(&p.lease(&x)?, &mut copies.1)?;
    let mut x = legacy.reunite(x)?;
    legacy.fill(&mut x, 3)?;
    assert_eq!((p.download(&copies.1)?, legacy.download(&x)?), (vec![2; LEN], vec![3; LEN]));
    Ok(())
}

fn freed_on_legacy<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (legacy, a, p) = (device.legacy()?, device.stream::<A>()?, device.stream::<P>()?);
    for round in 0..10 {
        let x = filled(p, 0xdead)?;
        let mut host = device.pinned::<u32>(LEN)?.on(p);
        p.copy(&x, &mut host)?;
        drop((legacy.take(x)?, legacy.take(host)?));
        let again = filled(a, round)?;
        device.pinned::<u32>(LEN)?.as_mut_slice().fill(round);
        assert_eq!(a.download(&again)?, [round; LEN]);
    }
    Ok(())
}

fn each_thread_has_its_own<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let math = device.load::<Math>()?;
    let work = |first: u32| -> Result<Vec<u32>> {
        let mine = device.per_thread()?;
        let mut x = mine.upload(&[first; LEN])?;
        for _ in 0..10 {
            math.increment(mine, LEN as u32, &mut x)?;
        }
        mine.download(&x)
    };
    let (one, two) = thread::scope(|scope| {
        let (one, two) = (scope.spawn(|| work(0)), scope.spawn(|| work(100)));
        (one.join().expect("no panic"), two.join().expect("no panic"))
    });
    assert_eq!((one?, two?, work(1000)?), (vec![10; LEN], vec![110; LEN], vec![1010; LEN]));
    Ok(())
}

/// By a hand-over to a stream of all threads, and by a record.
fn what_leaves_a_thread<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (mine, a) = (device.per_thread()?, device.stream::<A>()?);
    let (handed, recorded) = thread::scope(|scope| {
        let there = scope.spawn(|| {
            let theirs = device.per_thread()?;
            Ok::<_, antecede::Error>((a.take(filled(theirs, 1)?)?, theirs.record(filled(theirs, 2)?)?))
        });
        there.join().expect("no panic")
    })?;
    // The thread has ended.
    let (mut handed, recorded) = (mine.take(handed)?, mine.wait(recorded)?);
    mine.fill(&mut handed[..LEN / 2], 3)?;
    assert_eq!(mine.download(&handed)?, [[3; LEN / 2], [1; LEN / 2]].concat());
    assert_eq!(mine.download(&recorded)?, [2; LEN]);
    Ok(())
}

fn legacy_from_thread_to_thread<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (mine, legacy, p) = (device.per_thread()?, device.legacy()?, device.stream::<P>()?);
    let x = legacy.take(filled(mine, 1)?)?;
    let x = thread::scope(|scope| {
        let there = scope.spawn(move || {
            let theirs = device.per_thread()?;
            let mut x = theirs.take(x)?;
            theirs.fill(&mut x[..LEN / 2], 2)?;
            Ok::<_, antecede::Error>(p.take(x)?)
        });
        there.join().expect("no panic")
    })?;
    let mut x = mine.take(x)?;
    mine.fill(&mut x[..LEN / 4], 3)?;
    assert_eq!(mine.download(&x)?, layers());
    Ok(())
}
