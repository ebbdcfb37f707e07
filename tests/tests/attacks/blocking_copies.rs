//! Attack: a copy from or to a Rust slice whose wait fails, so that the copy runs on after the borrow has ended.

use antecede::{Device, DeviceBrand, Error, Failed, Result};
use antecede_sim::{Call, Fault};
use antecede_testkit::{Bench, Fixture};
use antecede_tests::{A, B};

fn fixture() -> Fixture {
    Fixture::new().allow_leaks()
}

fn fail_next_sync(bench: &Bench) {
    bench.sim().faults().inject(Fault::nth(1).of(Call::StreamSync));
}

/// Everything that would submit to a poisoned device is refused, and what is dropped is leaked and counted.
fn is_poisoned<D: DeviceBrand>(device: Device<D>, bench: &Bench) -> Result<()> {
    assert!(device.is_poisoned());
    let refused = |result: Result<()>| assert!(matches!(result, Err(Error::Poisoned { .. })), "{result:?}");
    let (_, calls) = bench.counts(|| {
        refused(device.stream::<antecede_tests::E>().map(drop));
        refused(device.pinned::<u8>(1).map(drop));
        refused(device.load::<antecede_testkit::Math>().map(drop));
        if let Ok(a) = device.stream::<A>() {
            refused(a.alloc::<u8>(1).map(drop));
            refused(a.sync(()).map_err(Error::from));
            refused(a.record(()).map(drop).map_err(Error::from));
        }
    });
    assert_eq!(calls.total(), 0, "{calls}");
    Ok(())
}

#[test]
fn a_failed_read_leaves_the_slice_alone() {
    fixture().run(|device, bench| {
        let a = device.stream::<A>()?;
        let mut x = a.alloc::<u32>(4)?;
        a.fill(&mut x, 7)?;
        let mut slice = [1u32; 4];
        fail_next_sync(bench);
        let error = a.read(&x, &mut slice).expect_err("the wait fails");
        assert!(matches!(error, Error::Driver(_)), "{error:?}");
        // The copy is still to come: here, when everything is drained.
        assert!(bench.sim().live().pending > 0);
        assert_eq!(slice, [1; 4]);
        is_poisoned(device, bench)?;
        drop(x);
        assert_eq!(device.leaked(), 2, "the buffer and the staging memory");
        Ok(())
    });
}

#[test]
fn a_failed_write_does_not_read_the_slice_later() {
    fixture().run(|device, bench| {
        let a = device.stream::<A>()?;
        let mut x = a.zeroed::<u32>(4)?;
        let mut slice = [1u32; 4];
        fail_next_sync(bench);
        assert!(a.write(&mut x, &slice).is_err());
        slice.fill(2); // reads nothing of it: the judge is silent, the copy has memory of its own
        assert_eq!(slice, [2; 4]);
        is_poisoned(device, bench)
    });
}

/// The buffer is `Synced` in its type while a copy reads it: nothing may write it any more.
#[test]
fn a_failed_to_vec_stops_everything_that_could_write() {
    fixture().run(|device, bench| {
        let (a, b) = device.streams::<(A, B)>()?;
        let x = a.sync(a.upload(&[1u32, 2])?)?;
        fail_next_sync(bench);
        assert!(x.to_vec().is_err());
        let (result, calls) = bench.counts(|| {
            let mut x = x.on(b);
            let filled = b.fill(&mut x, 0);
            drop(x);
            filled
        });
        assert!(matches!(result, Err(Error::Poisoned { .. })), "{result:?}");
        assert_eq!(calls.total(), 0, "neither filled nor freed: {calls}");
        assert_eq!(device.leaked(), 2);
        is_poisoned(device, bench)
    });
}

/// A wait that fails where no borrow is at stake poisons nothing: the buffers come back, still in flight.
#[test]
fn a_failed_sync_gives_the_buffers_back() {
    Fixture::new().run(|device, bench| {
        let a = device.stream::<A>()?;
        let mut x = a.alloc::<u32>(4)?;
        a.fill(&mut x, 3)?;
        fail_next_sync(bench);
        let Failed { buffers: x, .. } = a.sync(x).expect_err("the wait fails");
        assert!(!device.is_poisoned());
        assert_eq!(a.download(&x)?, [3; 4]);
        bench.sim().faults().inject(Fault::nth(1).of(Call::EventSync));
        let Failed { buffers: record, .. } = a.record(x)?.synchronize().expect_err("the wait fails");
        bench.sim().faults().inject(Fault::nth(1).of(Call::EventQuery));
        let Failed { buffers: record, .. } = record.query().expect_err("the query fails");
        assert_eq!(record.synchronize()?.to_vec()?, [3; 4]);
        Ok(())
    });
}

/// An error of the submission may be an older one, and the copy be on its way: it is waited for all the same.
#[test]
fn a_copy_that_reports_a_failure_is_waited_for() {
    Fixture::new().run(|device, bench| {
        let a = device.stream::<A>()?;
        let mut x = a.upload(&[1u32; 4])?;
        let mut slice = [2u32; 4];
        bench.sim().faults().inject(Fault::nth(1).of(Call::Copy).after_submitting());
        assert!(a.write(&mut x, &slice).is_err());
        assert_eq!(bench.sim().live().pending, 0, "nothing is in flight");
        bench.sim().faults().inject(Fault::nth(1).of(Call::Copy));
        assert!(a.read(&x, &mut slice).is_err());
        assert!(!device.is_poisoned());
        a.write(&mut x, &[3; 4])?;
        assert_eq!(a.download(&x)?, [3; 4]);
        Ok(())
    });
}
