//! Attack: pinned memory that comes out of the cache while the device still works on it.

use antecede_sim::{Call, Fault, Order};
use antecede_testkit::Fixture;
use antecede_tests::{A, B};
use antecede_trace::Call as Traced;

/// Not reused before the drop's event is complete, and its contents arrive where they were sent.
#[test]
fn memory_in_flight_is_not_reused() {
    Fixture::new().seeds(0..32).run(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut copies = Vec::new();
        for round in 0..6u32 {
            let mut source = device.pinned::<u32>(32)?;
            source.as_mut_slice().fill(round); // reused too early, this would be seen by the copy before
            let source = source.on(a);
            let mut x = a.zeroed::<u32>(32)?;
            a.copy(&source, &mut x)?;
            // It leaves on another stream than it was used on.
            drop(b.take(source)?);
            copies.push(x);
        }
        for (x, round) in copies.iter().zip(0..) {
            assert_eq!(a.download(x)?, [round; 32]);
        }
        assert!(bench.trace().counts().of(Traced::PinnedAlloc) > 1);
        Ok(())
    });
}

#[test]
fn idle_memory_is_reused() {
    Fixture::new().order(Order::Eager).run(|device, bench| {
        let a = device.stream::<A>()?;
        for _ in 0..10 {
            let mut x = device.pinned::<u32>(32)?.on(a);
            a.fill(&mut x, 1)?;
        }
        assert_eq!(bench.trace().counts().of(Traced::PinnedAlloc), 1);
        Ok(())
    });
}

/// No event, so nobody knows when the memory is idle: it is leaked and counted, and never reused.
#[test]
fn a_failed_record_leaks_the_memory() {
    for call in [Call::EventRecord, Call::EventCreate] {
        Fixture::new().allow_leaks().run(|device, bench| {
            let a = device.stream::<A>()?;
            let mut x = device.pinned::<u32>(32)?.on(a);
            a.fill(&mut x, 1)?;
            bench.sim().faults().inject(Fault::nth(1).of(call));
            drop(x);
            assert_eq!(device.leaked(), 1);
            a.sync(())?;
            let (fresh, calls) = bench.counts(|| device.pinned::<u32>(32));
            assert_eq!(calls.of(Traced::PinnedAlloc), 1);
            drop(fresh?);
            Ok(())
        });
    }
}

/// A query that fails says nothing of what has completed.
#[test]
fn a_failed_query_is_no_permission() {
    Fixture::new().run(|device, bench| {
        let a = device.stream::<A>()?;
        let mut x = device.pinned::<u32>(32)?.on(a);
        a.fill(&mut x, 1)?;
        drop(x);
        a.sync(())?;
        bench.sim().faults().inject(Fault::nth(1).of(Call::EventQuery));
        let (fresh, calls) = bench.counts(|| device.pinned::<u32>(32));
        assert_eq!(calls.of(Traced::PinnedAlloc), 1);
        drop(fresh?);
        Ok(())
    });
}
