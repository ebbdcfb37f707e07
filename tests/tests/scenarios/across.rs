//! Several opened devices over one GPU, and streams that something else made. These open the driver themselves.

use antecede::driver::{Driver, StreamKind};
use antecede::{Device, DeviceBrand, Error, Result, devices};
use antecede_sim::Sim;
use antecede_testkit::Math;
use antecede_tests::{A, B, C, P, with_adopted_stream};
use antecede_trace::{Trace, judge};
use std::sync::Arc;

const LEN: usize = 4096;

devices! { Left, Right }

/// Copies from `A` of the one device to `B` of the other, and uses both ends at once.
fn copies<D: DeviceBrand, E: DeviceBrand>(one: Device<D>, other: Device<E>) -> Result<()> {
    let (a, b) = (one.stream::<A>()?, other.stream::<B>()?);
    let math = other.load::<Math>()?;
    let (mut x, mut y) = (a.alloc::<u32>(LEN)?, b.zeroed::<u32>(LEN)?);
    for round in 0..10 {
        a.fill(&mut x, round)?;
        b.copy_across(a, &x[..LEN / 2], &mut y[LEN / 2..])?;
        // After the copy, both.
        a.fill(&mut x, 99)?;
        math.increment(b, LEN as u32, &mut y)?;
        let found = b.download(&y)?;
        assert_eq!((found[0], found[LEN / 2], found[LEN - 1]), (round + 1, round + 1, round + 1));
    }
    b.copy_across(a, &x, &mut y)?;
    // Freed, and its memory used again.
    drop(x);
    let mut again = a.alloc::<u32>(LEN)?;
    a.fill(&mut again, 0)?;
    assert_eq!((b.download(&y)?, a.download(&again)?), (vec![99; LEN], vec![0; LEN]));
    // On the streams that one context has one of.
    let (legacy, mine) = (one.legacy()?, other.per_thread()?);
    let (x, mut y) = (legacy.upload(&[5u32; LEN])?, mine.alloc(LEN)?);
    mine.copy_across(legacy, &x, &mut y)?;
    let mut z = other.legacy()?.alloc(LEN)?;
    other.legacy()?.copy_across(legacy, &x, &mut z)?;
    assert_eq!((mine.download(&y)?, other.legacy()?.download(&z)?), (vec![5; LEN], vec![5; LEN]));
    Ok(())
}

fn between_two_scopes(trace: &Trace) -> Result<()> {
    Device::scope(trace.clone(), 0, |one| Device::scope(trace.clone(), 0, |other| copies(one, other)))
}

fn between_two_named_devices(trace: &Trace) -> Result<()> {
    copies(Device::<Left>::bind(trace.clone(), 0)?, Device::<Right>::bind(trace.clone(), 0)?)
}

fn an_adopted_stream(driver: &dyn Driver, trace: &Trace, kind: StreamKind) -> Result<()> {
    Device::scope(trace.clone(), 0, |device| {
        let (a, b, c, p) = (device.stream::<A>()?, device.stream::<B>()?, device.stream::<C>()?, device.stream::<P>()?);
        let math = device.load::<Math>()?;
        let shared = c.share(c.upload(&[7u32; LEN])?)?;
        let one = a.upload(&[1u32; LEN])?;
        let kept = with_adopted_stream(driver, device, kind, |foreign| {
            // Nothing that the host waits for: it would hide what is missing at the end.
            let filled = |value| {
                let mut x = foreign.alloc::<u32>(LEN)?;
                foreign.fill(&mut x, value)?;
                Ok::<_, Error>(x)
            };
            let mut y = b.take(filled(3)?)?;
            b.fill(&mut y[..LEN / 2], 4)?;
            let recorded = foreign.record(foreign.take(y)?)?;
            let through = p.take(filled(8)?)?;
            let mut copy = foreign.alloc(LEN)?;
            foreign.copy(&foreign.lease(&shared)?, &mut copy)?;
            let mut x = foreign.take(one)?;
            math.increment(foreign, LEN as u32, &mut x)?;
            Ok((x.loose(), copy.loose(), recorded, through))
        })?;
        // The stream is gone; what was ready on it is ordered all the same.
        let (x, copy, recorded, through) = kept;
        let (x, y) = (a.take(x)?, a.wait(recorded)?);
        let mut shared = c.reunite(shared)?;
        c.fill(&mut shared, 0)?;
        assert_eq!((a.download(&x)?, p.download(&through)?), (vec![2; LEN], vec![8; LEN]));
        assert_eq!(a.download(&y)?, [[4; LEN / 2], [3; LEN / 2]].concat());
        assert_eq!(a.download(&a.take(copy)?)?, [7; LEN]);
        Ok(())
    })
}

mod on_sim {
    use super::*;

    fn judged(sim: Sim, test: impl FnOnce(&Trace) -> Result<()>) {
        let (seed, trace) = (sim.seed(), Trace::new(sim));
        test(&trace).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        judge(&trace.log()).assert_silent();
    }

    #[test]
    fn between_two_scopes() {
        for seed in 0..8 {
            judged(Sim::builder().seed(seed).build(), super::between_two_scopes);
        }
    }

    /// Once: a named device is bound for the life of the process.
    #[test]
    fn between_two_named_devices() {
        judged(Sim::new(), super::between_two_named_devices);
    }

    #[test]
    fn an_adopted_stream() {
        for seed in 0..8 {
            for kind in [StreamKind::NonBlockingStream, StreamKind::BlockingStream] {
                let sim = Sim::builder().seed(seed).build();
                let driver: Arc<dyn Driver> = Arc::new(sim.clone());
                judged(sim, |trace| super::an_adopted_stream(&*driver, trace, kind));
            }
        }
    }
}

mod on_cust {
    use super::*;
    use antecede_testkit::driver_on_cust;

    fn judged(test: impl FnOnce(&Arc<dyn Driver>, &Trace) -> Result<()>) {
        let driver = driver_on_cust();
        let trace = Trace::new(driver.clone());
        test(&driver, &trace).unwrap_or_else(|error| panic!("{error}"));
        judge(&trace.log()).assert_silent();
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn between_two_scopes() {
        judged(|_, trace| super::between_two_scopes(trace));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn between_two_named_devices() {
        judged(|_, trace| super::between_two_named_devices(trace));
    }

    #[test]
    #[ignore = "needs a GPU"]
    fn an_adopted_stream() {
        for kind in [StreamKind::NonBlockingStream, StreamKind::BlockingStream] {
            judged(|driver, trace| super::an_adopted_stream(&**driver, trace, kind));
        }
    }
}
