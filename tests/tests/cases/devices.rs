//! Two devices in one process: no operation depends on which context the thread last used.
//!
//! case: SEED-6, DEV-01, DEV-03, DEV-05

use antecede::{Device, DeviceBrand, Error, Result};
use antecede_sim::{Call as SimCall, Fault, Sim};
use antecede_testkit::{Fixture, Math};
use antecede_tests::{A, B};
use antecede_trace::{Call, Trace, judge};

/// Device 0 was used last; a buffer of device 1 is dropped, and device 1 is waited for, with the free.
#[test]
fn a_sync_of_one_device_waits_for_its_own_frees() {
    Fixture::new().devices(2).run(|first, bench| {
        Device::scope(bench.trace().clone(), 1, |second| {
            let (a, b) = (first.stream::<A>()?, second.stream::<A>()?);
            let x = b.zeroed::<u32>(64)?;
            let mut y = a.zeroed::<u32>(64)?;
            a.fill(&mut y, 1)?;
            let ((), log) = bench.log(|| {
                drop(x);
                second.sync(()).expect("nothing fails");
            });
            let [free, sync, _end_of_sync] = log.entries() else { panic!("two calls: {log}") };
            assert_eq!((free.call, sync.call), (Call::Free, Call::ContextSync));
            let freed_in = free.stream.map(|stream| stream.stream.context.id);
            assert_eq!(freed_in, sync.context, "the context in which the free was queued");
            assert_eq!(a.download(&y)?, [1; 64]);
            Ok(())
        })
    });
}

/// Every call, of streams, events, memory and modules, in turns on one thread: each is made in the context of its device.
#[test]
fn every_call_is_made_in_the_context_of_its_device() {
    fn step<D: DeviceBrand>(device: Device<D>, round: u32) -> Result<()> {
        let (a, b, math) = (device.stream::<A>()?, device.stream::<B>()?, device.load::<Math>()?);
        let mut x = a.upload(&[round; 8])?;
        math.increment(a, 8, &mut x)?;
        let x = b.take(x)?;
        let mut host = device.pinned::<u32>(8)?.on(b);
        b.copy(&x, &mut host)?;
        assert_eq!(b.record(host)?.synchronize()?.as_slice(), [round + 1; 8]);
        Ok(())
    }
    let trace = Trace::new(Sim::builder().devices(2).build());
    Device::scope(trace.clone(), 0, |first| {
        Device::scope(trace.clone(), 1, |second| {
            for round in 0..4 {
                step(first, round)?;
                step(second, 10 + round)?;
            }
            Ok(())
        })
    })
    .expect("nothing fails");
    judge(&trace.log()).assert_silent();
    // A call that was made in the other context is an error of the simulator's, as it is of the driver's.
    assert!(trace.log().entries().iter().all(|entry| entry.outcome.error().is_none()), "{}", trace.log());
}

/// A failed record gives no event to wait for: the buffer stays where it was.
#[test]
fn a_failed_record_orders_nothing() {
    Fixture::new().run(|device, bench| {
        let (a, b) = (device.stream::<A>()?, device.stream::<B>()?);
        let mut x = a.zeroed::<u32>(8)?;
        a.fill(&mut x, 1)?;
        drop(a.record(())?);
        bench.sim().faults().inject(Fault::nth(1).of(SimCall::EventRecord));
        let failed = a.record(x).expect_err("the record fails");
        assert!(matches!(failed.error, Error::Driver(_)));
        bench.sim().faults().inject(Fault::nth(1).of(SimCall::EventRecord));
        let failed = b.take(failed.buffers).expect_err("the record fails");
        let x = b.take(failed.buffers)?;
        assert_eq!(b.download(&x)?, [1; 8]);
        Ok(())
    });
}
