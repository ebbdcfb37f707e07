//! Where device memory meets a consumer without a stream.
//!
//! case: FP-11, FP-17, HOST-05, HOST-07, ALLOC-01, SEED-4

use crate::{FREE, costs};
use antecede::{Buffer, Managed, On, Pinned, Result, Synced};
use antecede_testkit::on_sim;
use antecede_tests::{A, B};
use antecede_trace::Call;

#[test]
fn nothing_to_send_needs_no_sync() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        drop(device.pinned::<u8>(64)?);
        costs(bench, FREE, || {
            assert!(Buffer::<u8, Synced>::default().to_vec()?.is_empty());
            drop(a.take(a.zeroed::<u8>(0)?)?);
            Ok(())
        })?;
        // Of the host alone: complete from birth.
        let host = costs(bench, FREE, || device.pinned::<u8>(64))?;
        let sent = costs(bench, [(Call::HostRead, 1)], || Ok(host.as_slice().len()))?;
        assert_eq!(sent, 64);
        Ok(())
    });
}

/// The sync is where the consumer needs it, once, for sending and for receiving.
#[test]
fn a_sync_at_the_boundary_gives_what_any_consumer_may_use() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let (x, y) = (a.zeroed::<u8>(8)?, a.alloc::<u8>(8)?);
        let (x, y) = costs(bench, [(Call::StreamSync, 1)], || Ok(a.sync((x, y))?))?;
        // Not bound to its stream any more: to another one for nothing, and the drop waits for nothing.
        let mut y = costs(bench, FREE, || Ok(b.take(y)?))?;
        b.fill(&mut y, 1)?;
        costs(bench, [(Call::Free, 1)], || {
            drop(x);
            Ok(())
        })?;
        assert_eq!(b.download(&y)?, [1; 8]);
        Ok(())
    });
}

/// The host works on managed memory of one stream while another stream is busy.
#[test]
fn managed_memory_is_the_hosts_after_a_sync_of_its_own_stream() {
    on_sim(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut busy = b.zeroed::<u32>(64)?;
        let mut x: Buffer<u32, On<A, _>, Managed> = device.managed::<u32>(8)?.on(a);
        a.fill(&mut x, 3)?;
        b.fill(&mut busy, 1)?;
        let mut x = costs(bench, [(Call::StreamSync, 1)], || Ok(a.sync(x)?))?;
        costs(bench, [(Call::HostWrite, 1)], || {
            x.as_mut_slice()[0] += 1;
            Ok(())
        })?;
        assert_eq!(x.as_slice()[..2], [4, 3]);
        assert_eq!(b.download(&busy)?, [1; 64]);
        Ok(())
    });
}

/// Managed and pinned memory of a pool, filled on a stream, read after one sync of it.
#[test]
fn pool_memory_is_read_after_the_sync() {
    on_sim(|device, bench| {
        let a = device.stream::<A>()?;
        let (pinned, managed) = (device.pool::<Pinned>()?, device.pool::<Managed>()?);
        let (mut x, mut y) = (a.alloc_in::<u32, _>(pinned, 8)?, a.alloc_in::<u32, _>(managed, 8)?);
        a.fill(&mut x, 1)?;
        a.fill(&mut y, 2)?;
        let (x, y) = costs(bench, [(Call::StreamSync, 1)], || -> Result<_> { Ok(a.sync((x, y))?) })?;
        assert_eq!((x.as_slice(), y.as_slice()), (&[1; 8][..], &[2; 8][..]));
        Ok(())
    });
}
