//! Buffers without bytes make no driver call, ever.

use crate::{FREE, costs};
use antecede::{Buffer, Device, DeviceBrand, Loose, On, Pinned, Result, Synced};
use antecede_testkit::{Bench, Math, on_sim};
use antecede_tests::{A, B};

#[test]
fn empty_buffers() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let math = device.load::<Math>()?;
        costs(bench, FREE, || {
            let mut x = a.zeroed::<u32>(0)?;
            a.fill(&mut x, 1)?;
            a.write(&mut x, &[])?;
            math.increment(a, 0, &mut x)?;
            let mut y = a.upload::<u32>(&[])?;
            a.copy(&x, &mut y)?;
            assert!(a.download(&y)?.is_empty());
            let (x, y) = b.take((x, y.loose()))?;
            let x = b.claim(x.loose())?;
            drop((x, y));
            Ok(())
        })
    });
}

#[test]
fn elements_without_bytes() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        costs(bench, FREE, || {
            let mut x = a.zeroed::<[u32; 0]>(1000)?;
            a.clear(&mut x)?;
            let x = b.take(x)?;
            assert_eq!(b.download(&x)?.len(), 1000);
            let y = b.upload(&[(); 5])?;
            drop((x.loose(), y));
            Ok(())
        })
    });
}

#[test]
fn default_buffers_in_every_state() {
    on_sim(|_device, bench| {
        costs(bench, FREE, || {
            drop(Buffer::<u32, On<A>>::default());
            drop(Buffer::<u32, Loose>::default());
            drop(Buffer::<u32, Synced>::default());
            drop(Buffer::<u32, Synced, Pinned>::default());
            assert!(Buffer::<u32, Synced>::default().to_vec()?.is_empty());
            assert!(Buffer::<u32, Synced, Pinned>::default().as_mut_slice().is_empty());
            Ok(())
        })
    });
}

#[test]
fn empty_batches_are_handed_over_for_nothing() {
    fn hand_over<D: DeviceBrand>(device: Device<D>, bench: &Bench) -> Result<()> {
        let (a, b) = device.streams::<(A, B)>()?;
        costs(bench, FREE, || {
            b.take(())?;
            assert!(b.take(Vec::<Buffer<u32, On<A, D>>>::new())?.is_empty());
            assert!(b.take(None::<Buffer<u32, On<A, D>>>)?.is_none());
            let (x, y) = b.take((a.alloc::<u32>(0)?, a.alloc::<()>(9)?))?;
            drop((x, y));
            Ok(())
        })
    }
    #[expect(clippy::redundant_closure, reason = "the function itself is not general enough in the scope's lifetime")]
    on_sim(|device, bench| hand_over(device, bench));
}

#[test]
fn pinned_memory_of_no_bytes() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        costs(bench, FREE, || {
            let mut x = device.pinned::<u32>(0)?;
            assert!(x.as_mut_slice().is_empty());
            let x = x.on(a);
            drop(x);
            let mut y = device.pinned_from(&[(); 7])?;
            assert_eq!(y.as_mut_slice().len(), 7);
            Ok(())
        })
    });
}

#[test]
fn refused_operations_submit_nothing() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let math = device.load::<Math>()?;
        let mut x = a.zeroed::<u32>(4)?;
        let y = a.zeroed::<u32>(3)?;
        let mut kept = None;
        costs(bench, FREE, || {
            assert!(math.increment(a, 5, &mut x).is_err());
            assert!(a.copy(&y, &mut x).is_err());
            assert!(a.write(&mut x, &[1; 5]).is_err());
            assert!(a.read(&x, &mut [0; 3]).is_err());
            assert!(a.alloc::<u32>(usize::MAX).is_err());
            assert!(device.pinned::<u32>(usize::MAX).is_err());
            let failed = b.claim(y.loose()).expect_err("it is on `A`");
            kept = Some(failed.buffers);
            Ok(())
        })?;
        drop(kept);
        Ok(())
    });
}
