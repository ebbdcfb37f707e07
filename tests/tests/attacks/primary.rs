//! Attack: `Primary` bound twice, so that one brand would be two streams.

use antecede::driver::DriverId;
use antecede::{Device, Error};
use antecede_sim::Sim;
use antecede_testkit::in_own_process;
use antecede_tests::A;
use antecede_trace::{NullDriver, Trace};
use std::thread;

#[test]
fn an_equal_driver_gives_the_same_device() {
    in_own_process!({
        let sim = Sim::new();
        let a = Device::primary(sim.clone()).unwrap().stream::<A>().unwrap();
        let again = Device::primary(sim.clone()).unwrap().stream::<A>().unwrap();
        assert!(a == again);
        assert_eq!((sim.live().contexts, sim.live().streams), (1, 1));
    });
}

#[test]
fn another_driver_is_refused() {
    in_own_process!({
        let first = Sim::new();
        Device::primary(first.clone()).unwrap();
        let error = Device::primary(Sim::new()).unwrap_err();
        assert!(matches!(error, Error::DeviceBound { bound: ("sim", 0), asked: ("sim", 0), .. }), "{error:?}");
        let error = Device::primary(NullDriver::new()).unwrap_err();
        assert!(matches!(error, Error::DeviceBound { asked: ("null", 0), .. }), "{error:?}");
        // A trace is a driver of its own, also around the same one: its calls would be missing from the log.
        assert!(Device::primary(Trace::new(first.clone())).is_err());
        assert!(Device::primary(first).is_ok());
    });
}

#[test]
fn another_ordinal_is_refused() {
    in_own_process!({
        let sim = Sim::builder().devices(2).build();
        let error = Device::primary_at(sim.clone(), 2).unwrap_err();
        assert!(matches!(error, Error::NoSuchDevice { ordinal: 2, count: 2, .. }), "{error:?}");
        Device::primary_at(sim.clone(), 1).unwrap();
        let error = Device::primary(sim.clone()).unwrap_err();
        assert!(matches!(error, Error::DeviceBound { bound: ("sim", 1), asked: ("sim", 0), .. }), "{error:?}");
        assert_eq!(Device::primary_at(sim, 1).unwrap().ordinal(), 1);
    });
}

#[test]
fn threads_that_bind_at_once_get_one_device() {
    in_own_process!({
        let drivers = [Sim::new(), Sim::new()];
        let opened: Vec<_> = thread::scope(|scope| {
            let openers: Vec<_> = (0..8)
                .map(|i| {
                    let driver = drivers[i % 2].clone();
                    scope.spawn(move || Device::primary(driver).map(|device| device.stream::<A>().unwrap()))
                })
                .collect();
            openers.into_iter().map(|opener| opener.join().unwrap()).collect()
        });
        let streams: Vec<_> = opened.iter().flatten().collect();
        assert_eq!(streams.len(), 4, "one driver won");
        assert!(streams.iter().all(|stream| *stream == streams[0]));
        let lived = drivers.map(|driver| driver.live().streams);
        assert!(lived == [1, 0] || lived == [0, 1], "{lived:?}");
    });
}

#[test]
fn a_device_that_could_not_be_opened_is_not_bound() {
    in_own_process!({
        let broken = Sim::new();
        broken.faults().inject(antecede_sim::Fault::every().of(antecede_sim::Call::ContextOpen));
        assert!(Device::primary(broken).is_err());
        assert!(Device::primary(Sim::new()).is_ok());
    });
}

/// Streams outlive whatever opened them: nothing of `Primary` is torn down.
#[test]
fn streams_outlive_every_handle() {
    in_own_process!({
        let a = thread::spawn(|| Device::primary(Sim::new()).unwrap().stream::<A>().unwrap()).join().unwrap();
        let x = a.upload(&[1u32, 2]).unwrap();
        assert_eq!(a.download(&x).unwrap(), [1, 2]);
    });
}

#[test]
fn identifiers_are_never_issued_twice() {
    let ids: Vec<_> = (0..1000).map(|_| DriverId::fresh()).collect();
    let mut distinct = ids.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), ids.len());
}
