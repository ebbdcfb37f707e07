//! Buffers whose stream is known at run time.

use antecede::{Buffer, Device, DeviceBrand, Error, Failed, Loose, Result, Stream};
use antecede_testkit::mount;
use antecede_tests::{A, B, C};

mount! {
    claim_on_its_own_stream, claim_elsewhere_is_refused, claim_of_a_batch, streams_by_index, optional_hand_over,
    a_synced_buffer_is_claimed_anywhere, loose_after_loose,
}

fn claim_on_its_own_stream<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let a = device.stream::<A>()?;
    let x = a.claim(a.upload(&[1u32])?.loose())?;
    assert_eq!(a.download(&x)?, [1]);
    Ok(())
}

fn claim_elsewhere_is_refused<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let Failed { error, buffers } = b.claim(a.upload(&[1u32])?.loose()).expect_err("it is on `A`");
    assert!(matches!(error, Error::StreamMismatch { expected: "B", found: "A", .. }), "{error:?}");
    let x = a.claim(buffers)?;
    assert_eq!(a.download(&x)?, [1]);
    Ok(())
}

fn claim_of_a_batch<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let (x, y) = a.claim((a.upload(&[1u32])?.loose(), a.sync(a.upload(&[2u32])?)?))?;
    assert_eq!((a.download(&x)?, a.download(&y)?), (vec![1], vec![2]));
    let failed = a.claim(vec![x.loose(), b.upload(&[3u32])?.loose()]).expect_err("one of them is on `B`");
    let [x, z] = &failed.buffers[..] else { panic!("both come back") };
    assert_eq!((x.len(), z.len()), (1, 1));
    let all = a.take(failed.buffers)?;
    assert_eq!((a.download(&all[0])?, a.download(&all[1])?), (vec![1], vec![3]));
    Ok(())
}

fn streams_by_index<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b, c) = device.streams::<(A, B, C)>()?;
    fn add<S, D>(stream: Stream<S, D>, x: Buffer<u32, Loose<D>>, at: usize) -> Result<Buffer<u32, Loose<D>>> {
        let mut x = stream.take(x)?;
        stream.fill(&mut x[at..=at], at as u32)?;
        Ok(x.loose())
    }
    let mut x = a.zeroed::<u32>(30)?.loose();
    for i in 0..30 {
        x = match (i * 7) % 3 {
            0 => add(a, x, i)?,
            1 => add(b, x, i)?,
            _ => add(c, x, i)?,
        };
    }
    let x = a.take(x)?;
    assert!(a.download(&x)?.iter().enumerate().all(|(i, &v)| v == i as u32));
    Ok(())
}

fn optional_hand_over<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    for elsewhere in [false, true] {
        let mut x = a.zeroed::<u32>(4)?;
        if elsewhere {
            let mut y = b.take(x)?;
            b.fill(&mut y, 2)?;
            x = a.take(y)?;
        } else {
            a.fill(&mut x, 2)?;
        }
        assert_eq!(a.download(&x)?, [2; 4]);
    }
    Ok(())
}

fn a_synced_buffer_is_claimed_anywhere<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    let x = a.sync(a.upload(&[7u32])?)?;
    let x = b.claim(x)?;
    assert_eq!(b.download(&x)?, [7]);
    Ok(())
}

fn loose_after_loose<D: DeviceBrand>(device: Device<D>) -> Result<()> {
    let (a, b) = device.streams::<(A, B)>()?;
    // Synced, then loose: the fact is then that of the stream it was last on.
    let x = b.sync(b.take(a.upload(&[8u32])?)?)?.loose();
    let x = b.claim(x)?;
    assert_eq!(b.download(&x)?, [8]);
    Ok(())
}
