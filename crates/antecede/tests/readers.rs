//! Many readers of one batch.

mod common;

use antecede::{Batch, Buffer, Device, DeviceBrand, Result, State, kernels, streams};
use antecede_sim::{Call as SimCall, Fault, Sim};
use antecede_trace::{Trace, judge};
use common::{Orders, on_sim, orders};

streams! { Main, R0, R1, R2 }
kernels! {
    Math {
        unsafe fn add(x: &[u32], y: &mut [u32]) where [x.len() == y.len()] {
            for (y, x) in y.iter_mut().zip(x) { *y += *x }
        }
        unsafe fn double(x: &mut [u32]) { for x in x { *x *= 2 } }
    }
}

#[derive(Batch)]
struct Weights<St: State> {
    left: Buffer<u32, St>,
    right: Option<Buffer<u32, St>>,
    #[batch(keep)]
    name: &'static str,
}

#[test]
fn each_reader_waits_once_and_is_joined_once() {
    on_sim(|device, _, trace| {
        let (main, r0, r1, r2) = device.streams::<(Main, R0, R1, R2)>()?;
        let math = device.load::<Math>()?;
        let x = main.upload(&[1, 2, 3])?;
        let (mut y0, mut y1, mut y2) = (r0.zeroed(3)?, r1.zeroed(3)?, r2.zeroed(3)?);

        let mark = trace.mark();
        let x = main.share(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 0 });
        math.add(r0, &r0.lease(&x)?, &mut y0)?;
        math.add(r0, &r0.lease(&x)?, &mut y0)?;
        math.add(r1, &r1.lease(&x)?, &mut y1)?;
        math.add(r2, &r2.lease(&x)?, &mut y2)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 3 });

        let mark = trace.mark();
        let mut x = main.reunite(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 3, waits: 3 });
        math.double(main, &mut x)?;
        assert_eq!(main.download(&x)?, [2, 4, 6]);
        assert_eq!(r0.download(&y0)?, [2, 4, 6]);
        assert_eq!(r1.download(&y1)?, [1, 2, 3]);
        Ok(())
    });
}

#[test]
fn with_no_reader_the_join_waits_for_the_share() {
    on_sim(|device, _, trace| {
        let (main, r0) = device.streams::<(Main, R0)>()?;
        let x = main.share(main.upload(&[1u32])?)?;
        let mark = trace.mark();
        let mut x = r0.reunite(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 0, waits: 1 });
        r0.fill(&mut x, 7)?;
        let x = r0.share(x)?;
        let mark = trace.mark();
        let x = r0.reunite(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 0, waits: 0 });
        assert_eq!(r0.download(&x)?, [7]);
        Ok(())
    });
}

#[test]
fn the_home_stream_is_a_reader_like_any_other() {
    on_sim(|device, _, trace| {
        let (main, r0) = device.streams::<(Main, R0)>()?;
        let math = device.load::<Math>()?;
        let x = main.share(main.upload(&[1u32])?)?;
        let mut y = main.zeroed(1)?;
        math.add(main, &main.lease(&x)?, &mut y)?;
        let mark = trace.mark();
        let mut x = r0.reunite(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        r0.fill(&mut x, 9)?; // after the read on `main`
        assert_eq!(main.download(&y)?, [1]);
        Ok(())
    });
}

#[test]
fn leases_forgotten_or_lost_to_a_panic_are_joined() {
    on_sim(|device, _, trace| {
        let (main, r0, r1) = device.streams::<(Main, R0, R1)>()?;
        let math = device.load::<Math>()?;
        let x = main.share(main.upload(&[5u32])?)?;
        let (mut y0, mut y1) = (r0.zeroed(1)?, r1.zeroed(1)?);
        let lease = r0.lease(&x)?;
        math.add(r0, &lease, &mut y0)?;
        std::mem::forget(lease);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let lease = r1.lease(&x).unwrap();
            math.add(r1, &lease, &mut y1).unwrap();
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(panicked.is_err());
        let mark = trace.mark();
        let mut x = main.reunite(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 2, waits: 2 });
        main.fill(&mut x, 0)?;
        assert_eq!((r0.download(&y0)?, r1.download(&y1)?), (vec![5], vec![5]));
        Ok(())
    });
}

#[test]
fn an_early_release_makes_the_join_precise_once_no_lease_is_left() {
    on_sim(|device, _, trace| {
        let (main, r0) = device.streams::<(Main, R0)>()?;
        let math = device.load::<Math>()?;
        let x = main.share(main.upload(&[5u32])?)?;
        let mut y = r0.zeroed(1)?;
        let (first, second) = (r0.lease(&x)?, r0.lease(&x)?);
        math.add(r0, &first, &mut y)?;
        let mark = trace.mark();
        first.release()?;
        assert_eq!(orders(trace, &mark).records, 0, "another lease of this stream is left");
        math.add(r0, &second, &mut y)?;
        second.release()?;
        assert_eq!(orders(trace, &mark).records, 1);
        let mut x = main.reunite(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        main.fill(&mut x, 0)?;

        // A forgotten lease, or a later one, takes the precision back.
        let x = main.share(x)?;
        std::mem::forget(r0.lease(&x)?);
        let lease = r0.lease(&x)?;
        math.add(r0, &lease, &mut y)?;
        lease.release()?;
        let lease = r0.lease(&x)?;
        lease.release()?;
        math.add(r0, &r0.lease(&x)?, &mut y)?;
        let mark = trace.mark();
        let mut x = main.reunite(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        main.fill(&mut x, 1)?;
        assert_eq!(r0.download(&y)?, [10]);
        Ok(())
    });
}

#[test]
fn a_lease_after_an_early_release_is_joined() {
    on_sim(|device, _, trace| {
        let (main, r0) = device.streams::<(Main, R0)>()?;
        let math = device.load::<Math>()?;
        let x = main.share(main.upload(&[5u32])?)?;
        let mut y = r0.zeroed(1)?;
        r0.lease(&x)?.release()?;
        math.add(r0, &r0.lease(&x)?, &mut y)?;
        let mark = trace.mark();
        let mut x = main.reunite(x)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 1 });
        main.fill(&mut x, 0)?;
        assert_eq!(r0.download(&y)?, [5]);
        Ok(())
    });
}

#[test]
fn a_dropped_share_is_freed_after_every_reader() {
    on_sim(|device, sim, trace| {
        let (main, r0, r1) = device.streams::<(Main, R0, R1)>()?;
        let math = device.load::<Math>()?;
        let mut ys = (r0.zeroed(64)?, r1.zeroed(64)?);
        let x = main.share(main.upload(&[3u32; 64])?)?;
        math.add(r0, &r0.lease(&x)?, &mut ys.0)?;
        math.add(r1, &r1.lease(&x)?, &mut ys.1)?;
        let mark = trace.mark();
        drop(x);
        assert_eq!(orders(trace, &mark), Orders { records: 2, waits: 2 });
        // Memory of that size, in use at once.
        let mut z = main.alloc::<u32>(64)?;
        main.fill(&mut z, 0)?;
        assert_eq!((r0.download(&ys.0)?, r1.download(&ys.1)?), (vec![3; 64], vec![3; 64]));
        assert_eq!(sim.live().allocations, 3);
        Ok(())
    });
}

#[test]
fn a_batch_is_leased_as_views() {
    on_sim(|device, _, trace| {
        let (main, r0) = device.streams::<(Main, R0)>()?;
        let math = device.load::<Math>()?;
        let weights = Weights { left: main.upload(&[1u32, 2])?, right: Some(main.upload(&[3u32, 4])?), name: "w" };
        let weights = main.share(weights)?;
        let mut y = r0.zeroed(2)?;
        let mark = trace.mark();
        let lease = r0.lease(&weights)?;
        let (left, right, name) = &*lease;
        math.add(r0, left, &mut y)?;
        math.add(r0, right.as_ref().unwrap(), &mut y)?;
        math.add(r0, &left[..1], &mut y[..1])?;
        assert_eq!(**name, "w");
        drop(lease);
        let weights = main.reunite(weights)?;
        assert_eq!(orders(trace, &mark), Orders { records: 1, waits: 2 });
        assert_eq!((weights.name, r0.download(&y)?), ("w", vec![5, 6]));
        Ok(())
    });
}

#[test]
fn readers_on_threads() {
    on_sim(|device, _, _| {
        let (main, r0, r1) = device.streams::<(Main, R0, R1)>()?;
        let math = device.load::<Math>()?;
        let x = main.share(main.upload(&[2u32])?)?;
        let read = |y: &mut Vec<u32>| -> Result<()> {
            let mut sum = r1.zeroed(1)?;
            math.add(r1, &r1.lease(&x)?, &mut sum)?;
            *y = r1.download(&sum)?;
            Ok(())
        };
        let (mut a, mut b) = (vec![], vec![]);
        std::thread::scope(|threads| {
            let first = threads.spawn(|| read(&mut a));
            let second = threads.spawn(|| read(&mut b));
            first.join().unwrap().and(second.join().unwrap())
        })?;
        let mut sum = r0.zeroed(1)?;
        math.add(r0, &r0.lease(&x)?, &mut sum)?;
        let mut x = main.reunite(x)?;
        main.fill(&mut x, 0)?;
        assert_eq!((a, b, r0.download(&sum)?), (vec![2], vec![2], vec![2]));
        Ok(())
    });
}

/// A first wait that fails leaves no reader behind, or the next lease would skip its wait.
#[test]
fn a_failed_lease_is_no_reader() {
    on_sim(|device, sim, trace| {
        let (main, r0) = device.streams::<(Main, R0)>()?;
        let math = device.load::<Math>()?;
        let x = main.share(main.upload(&[2u32])?)?;
        let mut y = r0.zeroed(1)?;
        sim.faults().inject(Fault::nth(1).of(SimCall::EventWait));
        r0.lease(&x).unwrap_err();
        sim.faults().clear();
        let mark = trace.mark();
        math.add(r0, &r0.lease(&x)?, &mut y)?;
        assert_eq!(orders(trace, &mark).waits, 1);
        assert_eq!(r0.download(&y)?, [2]);
        Ok(())
    });
}

/// Every driver call of share, lease, release, reunite and drop fails in turn: no race, and nothing is lost.
#[test]
fn failing_calls_lose_nothing() {
    fn program<D: DeviceBrand>(device: Device<D>) -> Result<()> {
        let (main, r0, r1) = device.streams::<(Main, R0, R1)>()?;
        let math = device.load::<Math>()?;
        let x = main.share(main.zeroed::<u32>(8)?)?;
        let mut y = r0.zeroed(8)?;
        math.add(r0, &r0.lease(&x)?, &mut y)?;
        let lease = r1.lease(&x)?;
        lease.release()?;
        let x = match main.reunite(x) {
            Ok(x) => x,
            Err(failed) => main.reunite(failed.buffers)?,
        };
        let x = main.share(x)?;
        math.add(r0, &r0.lease(&x)?, &mut y)?;
        drop(x);
        assert_eq!(main.sync(main.zeroed::<u32>(8)?)?.len(), 8);
        Ok(())
    }
    for nth in 1..60 {
        for late in [false, true] {
            let sim = Sim::new();
            let trace = Trace::new(sim.clone());
            let mut leaked = 0;
            let outcome = Device::scope(trace.clone(), 0, |device| {
                let fault = Fault::nth(nth);
                sim.faults().inject(if late { fault.after_submitting() } else { fault });
                let outcome = program(device);
                sim.faults().clear();
                leaked = device.leaked();
                outcome
            });
            judge(&trace.log()).assert_silent();
            assert!(sim.live().allocations <= leaked, "call {nth}, late {late}: {outcome:?}, {leaked} leaked");
        }
    }
}
