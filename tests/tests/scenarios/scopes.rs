//! Several scopes: one after the other, within one another, at once.

use antecede::{Device, DeviceBrand, Result, Scoped};
use antecede_sim::Sim;
use antecede_testkit::{Fixture, Math};
use antecede_tests::{A, B};
use antecede_trace::Trace;
use std::thread;

fn work<D: DeviceBrand>(device: Device<D>, first: u32) -> Result<Vec<u32>> {
    let (a, b) = device.streams::<(A, B)>()?;
    let math = device.load::<Math>()?;
    let mut x = b.take(a.upload(&[first, first + 1])?)?;
    math.increment(b, 2, &mut x)?;
    b.download(&x)
}

#[test]
fn one_after_the_other_on_every_device() -> Result<()> {
    let sim = Sim::builder().devices(4).build();
    for ordinal in 0..4 {
        let found = Device::scope(sim.clone(), ordinal, |device| {
            assert_eq!(device.ordinal(), ordinal);
            work(device, ordinal)
        })?;
        assert_eq!(found, [ordinal + 1, ordinal + 2]);
        assert_eq!(sim.live().streams, 0);
    }
    Ok(())
}

#[test]
fn at_once_in_threads() -> Result<()> {
    let sim = Sim::builder().devices(4).build();
    let trace = Trace::new(sim.clone());
    thread::scope(|scope| {
        let jobs = (0..4).map(|ordinal| {
            let trace = trace.clone();
            scope.spawn(move || Device::scope(trace, ordinal, |device| work(device, ordinal)))
        });
        for (job, ordinal) in jobs.collect::<Vec<_>>().into_iter().zip(0..) {
            assert_eq!(job.join().expect("no panic")?, [ordinal + 1, ordinal + 2]);
        }
        Ok::<_, antecede::Error>(())
    })?;
    antecede_trace::judge(&trace.log()).assert_silent();
    assert_eq!((sim.live().allocations, sim.live().contexts), (0, 0));
    Ok(())
}

/// The same brands on two devices, and on one device twice, are streams of their own.
#[test]
fn within_one_another() {
    Fixture::new().devices(2).run(|outer, bench| {
        let a = outer.stream::<A>()?;
        let x = a.upload(&[1u32, 2, 3])?;
        for ordinal in [0, 1] {
            let found = Device::scope(bench.trace().clone(), ordinal, |inner| {
                let inner_a = inner.stream::<A>()?;
                // Between devices there is the way through the host.
                let mut y = inner_a.upload(&a.download(&x)?)?;
                inner.load::<Math>()?.increment(inner_a, 3, &mut y)?;
                inner_a.download(&y)
            })?;
            assert_eq!(found, [2, 3, 4]);
        }
        // The end of the inner scope has not touched this one.
        assert_eq!(a.download(&x)?, [1, 2, 3]);
        Ok(())
    });
}

#[test]
fn a_brand_is_another_stream_in_every_scope() {
    let sim = Sim::new();
    let trace = Trace::new(sim);
    for _ in 0..3 {
        Device::scope(trace.clone(), 0, |device| work(device, 0)).expect("it works");
    }
    let log = trace.log();
    let created = log.entries().iter().filter(|entry| entry.call == antecede_trace::Call::StreamCreate);
    let mut ids: Vec<_> = created.map(|entry| entry.stream.map(|stream| stream.stream.id)).collect();
    ids.dedup();
    assert_eq!(ids.len(), 6, "two streams in each of three scopes");
    assert!(ids.iter().all(Option::is_some));
}

#[test]
fn a_tag_tells_scopes_apart_for_the_reader() -> Result<()> {
    #[derive(Debug)]
    enum Left {}
    let sim = Sim::new();
    let found = Device::scope_as::<Left, _>(sim, 0, |device: Device<Scoped<'_, Left>>| work(device, 5))?;
    assert_eq!(found, [6, 7]);
    Ok(())
}
