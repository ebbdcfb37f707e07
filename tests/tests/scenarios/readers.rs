//! Many readers of one batch: shared, leased, taken back.

use antecede::{Buffer, Device, DeviceBrand, Loose, On, Result, Shared, Stream};
use antecede_testkit::{Math, mount};
use antecede_tests::{A, B, C};
use std::thread;

mount! {
    three_streams_and_two_threads, an_early_release, a_forgotten_lease, taken_back_elsewhere, dropped_with_readers,
    a_batch_of_several, shared_again_and_again,
}

const LEN: usize = 4096;

/// What a reader sees: a copy that is made later, at the stream's time.
macro_rules! copy_of {
    ($stream:expr, $shared:expr) => {{
        let mut copy = $stream.alloc::<u32>(LEN)?;
        $stream.copy(&$stream.lease($shared)?, &mut copy)?;
        copy
    }};
}

fn filled<S, D>(stream: Stream<S, D>, value: u32) -> Result<Buffer<u32, On<S, D>>> {
    let mut x = stream.alloc(LEN)?;
    stream.fill(&mut x, value)?;
    Ok(x)
}

fn read_on_b<D: DeviceBrand>(device: Device<D>, x: &Shared<Buffer<u32, Loose<D>>, D>) -> Result<Buffer<u32, On<B, D>>> {
    let b = device.stream::<B>()?;
    Ok(copy_of!(b, x))
}

fn three_streams_and_two_threads<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let math = device.load::<Math>()?;
    let mut x = filled(a, 6)?;
    math.increment(a, LEN as u32, &mut x)?;
    let x = a.share(x)?;
    let on_a = copy_of!(a, &x);
    let (on_b, on_c) = thread::scope(|scope| {
        let one = scope.spawn(|| read_on_b(device, &x));
        let two = scope.spawn(|| Ok::<_, antecede::Error>(copy_of!(c, &x)));
        Ok::<_, antecede::Error>((one.join().expect("no panic")?, two.join().expect("no panic")?))
    })?;
    // Written as soon as it is back: after all three.
    let mut x = a.reunite(x)?;
    a.fill(&mut x, 0)?;
    assert_eq!(a.download(&on_a)?, [7; LEN]);
    assert_eq!(b.download(&on_b)?, [7; LEN]);
    assert_eq!(c.download(&on_c)?, [7; LEN]);
    assert_eq!(a.download(&x)?, [0; LEN]);
    Ok(())
}

fn an_early_release<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let x = a.share(filled(a, 3)?)?;
    let (mut first, mut second) = (b.alloc(LEN)?, b.alloc(LEN)?);
    let lease = b.lease(&x)?;
    b.copy(&lease, &mut first)?;
    lease.release()?;
    // And a lease after the release.
    let lease = b.lease(&x)?;
    b.copy(&lease, &mut second)?;
    lease.release()?;
    let mut x = a.reunite(x)?;
    a.fill(&mut x, 0)?;
    assert_eq!((b.download(&first)?, b.download(&second)?), (vec![3; LEN], vec![3; LEN]));
    Ok(())
}

fn a_forgotten_lease<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let x = a.share(filled(a, 4)?)?;
    let mut copy = b.alloc(LEN)?;
    let lease = b.lease(&x)?;
    b.copy(&lease, &mut copy)?;
    std::mem::forget(lease);
    let mut x = a.reunite(x)?;
    a.fill(&mut x, 0)?;
    assert_eq!(b.download(&copy)?, [4; LEN]);
    Ok(())
}

fn taken_back_elsewhere<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    let x = a.share(filled(a, 5)?)?;
    let (on_a, on_b) = (copy_of!(a, &x), copy_of!(b, &x));
    let mut x = c.reunite(x)?;
    c.fill(&mut x, 6)?;
    assert_eq!((a.download(&on_a)?, b.download(&on_b)?), (vec![5; LEN], vec![5; LEN]));
    // Nobody reads: the share itself is what is waited for.
    let x = b.reunite(c.share(x)?)?;
    assert_eq!(b.download(&x)?, [6; LEN]);
    Ok(())
}

/// The memory is had again at once, by a stream that has not read.
fn dropped_with_readers<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    for round in 1..10 {
        let x = a.share(filled(a, round)?)?;
        let (on_b, on_c) = (copy_of!(b, &x), copy_of!(c, &x));
        drop(x);
        let again = filled(a, 0)?;
        assert_eq!((b.download(&on_b)?, c.download(&on_c)?), (vec![round; LEN], vec![round; LEN]));
        assert_eq!(a.download(&again)?, [0; LEN]);
    }
    Ok(())
}

fn a_batch_of_several<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let pair = a.share((filled(a, 1)?, vec![filled(a, 2)?, filled(a, 3)?]))?;
    let mut copies = [b.alloc(LEN)?, b.alloc(LEN)?];
    let lease = b.lease(&pair)?;
    let (first, others) = &*lease;
    b.copy(first, &mut copies[0])?;
    b.copy(&others[1], &mut copies[1])?;
    drop(lease);
    let (mut first, mut others) = a.reunite(pair)?;
    a.clear(&mut first)?;
    a.clear(&mut others[1])?;
    assert_eq!((b.download(&copies[0])?, b.download(&copies[1])?), (vec![1; LEN], vec![3; LEN]));
    assert_eq!(a.download(&others[0])?, [2; LEN]);
    Ok(())
}

fn shared_again_and_again<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let math = device.load::<Math>()?;
    let mut x = a.zeroed::<u32>(LEN)?;
    let mut seen = Vec::new();
    for _ in 0..10 {
        math.increment(a, LEN as u32, &mut x)?;
        let shared = a.share(x)?;
        seen.push(copy_of!(b, &shared));
        x = a.reunite(shared)?;
    }
    for (copy, expected) in seen.iter().zip(1..) {
        assert_eq!(b.download(copy)?, [expected; LEN]);
    }
    Ok(())
}
