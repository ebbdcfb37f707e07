//! Attack: a module of one device launched on another, or after it has gone. (The types refuse both; here is what the
//! driver sees.)

use antecede::{Device, Error};
use antecede_sim::{Call, Fault};
use antecede_testkit::{Fixture, Math};
use antecede_tests::A;
use antecede_trace::Call as Traced;

#[test]
fn each_device_loads_its_own() {
    Fixture::new().devices(2).run(|first, bench| {
        let a = first.stream::<A>()?;
        let math = first.load::<Math>()?;
        Device::scope(bench.trace().clone(), 1, |second| {
            let (loaded, calls) = bench.counts(|| second.load::<Math>());
            assert_eq!(calls.of(Traced::ModuleLoad), 1);
            let a = second.stream::<A>()?;
            let mut x = a.zeroed::<u32>(4)?;
            loaded?.increment(a, 4, &mut x)?;
            assert_eq!(a.download(&x)?, [1; 4]);
            Ok(())
        })?;
        // The other device's module has gone, this one's has not.
        let mut x = a.zeroed::<u32>(4)?;
        math.increment(a, 4, &mut x)?;
        assert_eq!(a.download(&x)?, [1; 4]);
        Ok(())
    });
}

#[test]
fn a_module_goes_after_its_last_kernel() {
    Fixture::new().run(|device, _| {
        let a = device.stream::<A>()?;
        let mut x = a.zeroed::<u32>(4)?;
        device.load::<Math>()?.increment(a, 4, &mut x)?;
        Ok(()) // still in flight: the fixture's scope waits, then unloads
    });
}

#[test]
fn a_failed_load_is_tried_again() {
    Fixture::new().run(|device, bench| {
        bench.sim().faults().inject(Fault::nth(1).of(Call::ModuleLoad));
        assert!(matches!(device.load::<Math>(), Err(Error::Driver(_))));
        let a = device.stream::<A>()?;
        let mut x = a.zeroed::<u32>(1)?;
        device.load::<Math>()?.increment(a, 1, &mut x)?;
        assert_eq!(a.download(&x)?, [1]);
        Ok(())
    });
}
