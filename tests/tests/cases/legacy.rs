//! The legacy default stream orders blocking streams, and no others.
//!
//! case: SEED-2, LEG-01, LEG-03, FREE-21, WSTR-05

use crate::{FREE, HAND_OVER, costs, warm_up};
use antecede::streams;
use antecede_testkit::on_sim;
use antecede_tests::A;
use antecede_trace::Call;

streams! { Worker: Blocking, Other: Blocking }

/// What legacy allocated, on a blocking stream: a record on legacy, which is the operation that the driver's own order
/// goes through, and no wait. Back again: nothing.
#[test]
fn a_blocking_stream_needs_no_wait_for_what_legacy_allocated() {
    on_sim(|device, bench| {
        let (legacy, worker) = (device.legacy()?, device.stream::<Worker>()?);
        warm_up(worker)?;
        let x = legacy.alloc::<u32>(64)?;
        let mut x = costs(bench, [(Call::EventRecord, 1)], || Ok(worker.take(x)?))?;
        worker.fill(&mut x, 1)?;
        let x = costs(bench, FREE, || Ok(legacy.take(x)?))?;
        assert_eq!(legacy.download(&x)?, [1; 64]);
        Ok(())
    });
}

/// From blocking stream to blocking stream the order needs an operation on legacy in between.
#[test]
fn two_blocking_streams_are_not_ordered_by_conversions_alone() {
    on_sim(|device, bench| {
        let (legacy, worker, other) = (device.legacy()?, device.stream::<Worker>()?, device.stream::<Other>()?);
        warm_up(worker)?;
        let mut x = worker.alloc::<u32>(64)?;
        worker.fill(&mut x, 1)?;
        let mut x = costs(bench, [(Call::EventRecord, 1)], || Ok(other.take(legacy.after_blocking(worker, x))?))?;
        other.fill(&mut x, 2)?;
        assert_eq!(other.download(&x)?, [2; 64]);
        Ok(())
    });
}

#[test]
fn a_non_blocking_stream_waits_for_legacy_by_an_event() {
    on_sim(|device, bench| {
        let (legacy, a) = (device.legacy()?, device.stream::<A>()?);
        warm_up(a)?;
        // More than a driver stages by itself in one piece.
        let host: Vec<u32> = (0..100_000).collect();
        let x = legacy.upload(&host)?;
        let x = costs(bench, HAND_OVER, || Ok(a.take(x)?))?;
        assert_eq!(a.download(&x)?, host);
        let x = costs(bench, HAND_OVER, || Ok(legacy.take(x)?))?;
        costs(bench, [(Call::Free, 1)], || {
            drop(x);
            Ok(())
        })
    });
}
