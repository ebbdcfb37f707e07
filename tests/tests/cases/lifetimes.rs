//! A stream is one thing: its handle may come back, and means another stream on another thread or device.
//!
//! case: IDENT-01, IDENT-03, RAW-09, WSTR-03

use crate::{HAND_OVER, costs, warm_up};
use antecede::driver::StreamKind;
use antecede::{Result, streams};
use antecede_testkit::on_sim;
use antecede_tests::A;
use std::collections::BTreeSet;
use std::thread;

streams! { Keeper }

/// Two threads' own streams have one handle. What one has freed the other gets no sooner than its event.
#[test]
fn equal_handles_on_two_threads_are_two_streams() {
    on_sim(|device, bench| {
        let keeper = device.stream::<Keeper>()?;
        warm_up(keeper)?;
        let work = |value: u32| -> Result<_> {
            let mine = device.per_thread()?;
            let mut host = device.pinned::<u32>(64)?.on(mine);
            mine.fill(&mut host, value)?;
            drop(host); // in flight
            let mut x = mine.alloc::<u32>(64)?;
            mine.fill(&mut x, value)?;
            // To leave the thread: handed over, here, to a stream that may.
            Ok(keeper.take(x)?)
        };
        let first = thread::scope(|threads| threads.spawn(|| work(1)).join()).expect("no panic")?;
        let second = thread::scope(|threads| threads.spawn(|| work(2)).join()).expect("no panic")?;
        assert_eq!((keeper.download(&first)?, keeper.download(&second)?), (vec![1; 64], vec![2; 64]));
        let log = bench.trace().log();
        let streams = log.entries().iter().filter_map(|entry| entry.stream.map(|stream| stream.stream));
        let own = streams.filter(|stream| stream.kind == StreamKind::PerThreadStream);
        let (handles, ids): (BTreeSet<_>, BTreeSet<_>) = own.map(|stream| (stream.handle, stream.id)).unzip();
        assert_eq!((handles.len(), ids.len()), (1, 2));
        Ok(())
    });
}

/// A synced buffer does not need its stream any more; a lane's buffer leaves the lane and is claimed by no other.
#[test]
fn a_buffer_outlives_the_brand_of_its_stream() {
    on_sim(|device, bench| {
        let (one, two, a) = (device.any_stream()?, device.any_stream()?, device.stream::<A>()?);
        warm_up(a)?;
        let x = one.with(|lane| -> Result<_> { Ok(lane.zeroed::<u32>(8)?.loose()) })?;
        let failed = two.with(|lane| lane.claim(x).map(drop)).expect_err("it is on the other stream");
        let x = costs(bench, HAND_OVER, || Ok(two.take(failed.buffers)?))?;
        let x = two.sync(x)?;
        assert_eq!(x.to_vec()?, [0; 8]);
        drop(x);
        Ok(())
    });
}
