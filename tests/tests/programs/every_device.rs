//! All devices of a machine: one after the other, at once, and two that work together.

use antecede::driver::Driver;
use antecede::{Device, DeviceBrand, Result, kernels, streams};
use antecede_sim::Sim;
use antecede_trace::{Call, Counts, Trace, judge};
use std::sync::Arc;
use std::thread;

streams! { Compute }

kernels! {
    Numbers {
        unsafe fn count_up(first: f32, x: &mut [f32]) {
            x.iter_mut().enumerate().for_each(|(i, x)| *x = first + i as f32);
        }
        unsafe fn add(x: &[f32], y: &mut [f32]) where [x.len() == y.len()] {
            y.iter_mut().zip(x).for_each(|(y, x)| *y += x);
        }
    }
}

fn work<D: DeviceBrand>(device: Device<D>, n: usize) -> Result<Vec<f32>> {
    let compute = device.stream::<Compute>()?;
    let mut x = compute.alloc::<f32>(n)?;
    device.load::<Numbers>()?.count_up(compute, device.ordinal() as f32, &mut x)?;
    compute.download(&x)
}

fn driver() -> (Arc<dyn Driver>, Trace) {
    let trace = Trace::new(Sim::builder().devices(4).build());
    (trace.clone().into(), trace)
}

#[test]
fn one_after_the_other() -> Result<()> {
    let (driver, trace) = driver();
    for ordinal in 0..driver.device_count()? {
        assert_eq!(Device::scope(driver.clone(), ordinal, |device| work(device, 8))?[7], 7.0 + ordinal as f32);
    }
    judge(&trace.log()).assert_silent();
    Ok(())
}

#[test]
fn at_once() -> Result<()> {
    let (driver, trace) = driver();
    let found = thread::scope(|scope| {
        let spawn = |ordinal| {
            let driver = driver.clone();
            scope.spawn(move || Device::scope(driver, ordinal, |device| work(device, 8)))
        };
        let jobs: Vec<_> = (0..4).map(spawn).collect();
        jobs.into_iter().map(|job| job.join().unwrap()).collect::<Result<Vec<_>>>()
    })?;
    assert_eq!(found.iter().map(|x| x[0]).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
    judge(&trace.log()).assert_silent();
    Ok(())
}

/// Two known devices. Their memory is told apart by the compiler; between them there is one operation, the copy across.
#[test]
fn two_together() -> Result<()> {
    enum Left {}
    enum Right {}
    let (driver, trace) = driver();
    let sum = Device::scope_as::<Left, _>(driver.clone(), 0, |left| {
        Device::scope_as::<Right, _>(driver.clone(), 1, |right| {
            let (here, there) = (left.stream::<Compute>()?, right.stream::<Compute>()?);
            let (mut x, mut y) = (here.alloc::<f32>(4)?, there.alloc::<f32>(4)?);
            left.load::<Numbers>()?.count_up(here, 10.0, &mut x)?;
            let numbers = right.load::<Numbers>()?;
            numbers.count_up(there, 1.0, &mut y)?;
            right.peer(left)?;
            let mut received = there.alloc::<f32>(4)?;
            let before = trace.mark();
            there.copy_across(here, &x, &mut received)?;
            // The source is written again at once, the target read: the copy is ordered at both ends.
            here.fill(&mut x, 0.0)?;
            numbers.add(there, &received, &mut y)?;
            let calls = Counts::from([
                (Call::EventRecord, 2),
                (Call::EventWait, 2),
                (Call::PeerCopy, 1),
                (Call::Fill, 1),
                (Call::Launch, 1),
            ]);
            assert_eq!(trace.counts_since(&before), calls, "the host waits for nothing");
            there.download(&y)
        })
    })?;
    assert_eq!(sum, [11.0, 13.0, 15.0, 17.0]);
    judge(&trace.log()).assert_silent();
    Ok(())
}
