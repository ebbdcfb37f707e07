//! Attack: what outlives its scope's streams, and a scope whose last wait fails.

use antecede::{Buffer, Device, Error, Result};
use antecede_sim::{Call, Fault, Sim};
use antecede_tests::{A, B};
use antecede_trace::{Call as Traced, Trace, judge};
use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Everything of a scope is drained before anything of it is destroyed, also what was forgotten.
#[test]
fn forgotten_values_are_drained_before_the_streams_go() {
    let trace = Trace::new(Sim::new());
    Device::scope(trace.clone(), 0, |device| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut x = a.zeroed::<u32>(64)?;
        a.fill(&mut x, 1)?;
        forget(b.take(x)?);
        let mut y = b.zeroed::<u32>(64)?;
        b.fill(&mut y, 2)?;
        forget(b.record(y)?);
        let mut host = device.pinned::<u32>(64)?.on(a);
        a.fill(&mut host, 3)?;
        forget(host);
        Ok(())
    })
    .expect("nothing fails");
    judge(&trace.log()).assert_silent();
    let log = trace.log();
    let place = |call| log.entries().iter().position(|entry| entry.call == call).expect("it is in the log");
    assert!(place(Traced::ContextSync) < place(Traced::StreamDestroy));
    assert!(place(Traced::ContextSync) < place(Traced::EventDestroy));
    assert!(place(Traced::StreamDestroy) < place(Traced::ContextClose));
}

#[test]
fn a_failed_last_wait_destroys_nothing() {
    let sim = Sim::new();
    let trace = Trace::new(sim.clone());
    let result = Device::scope(trace.clone(), 0, |device| {
        let (a, b) = device.streams::<(A, B)>()?;
        let mut x = b.take(a.zeroed::<u32>(64)?)?;
        b.fill(&mut x, 1)?;
        device.load::<antecede_testkit::Math>()?;
        drop(device.pinned::<u32>(64)?);
        forget(x);
        sim.faults().inject(Fault::nth(1).of(Call::ContextSync));
        Ok(())
    });
    assert!(matches!(result, Err(Error::Driver(_))), "{result:?}");
    let counts = trace.counts();
    for call in
        [Traced::StreamDestroy, Traced::EventDestroy, Traced::ModuleUnload, Traced::PinnedFree, Traced::ContextClose]
    {
        assert_eq!(counts.of(call), 0, "{call}");
    }
    let live = sim.live();
    assert_eq!((live.contexts, live.streams, live.modules, live.allocations), (1, 3, 1, 1));
    assert!(live.pending > 0, "and work is still in flight");
}

/// The value's own error is what the caller hears of, not that of the end.
#[test]
fn the_closures_error_comes_first() {
    let sim = Sim::new();
    let result = Device::scope(sim.clone(), 0, |device| -> Result<()> {
        let a = device.stream::<A>()?;
        sim.faults().inject(Fault::nth(1).of(Call::ContextSync));
        drop(a.upload(&[1u8])?);
        a.alloc::<u8>(usize::MAX).map(drop)
    });
    assert!(matches!(result, Err(Error::TooLarge { .. })), "{result:?}");
}

#[test]
fn a_panic_in_a_scope_drains_and_closes_it() {
    let sim = Sim::new();
    let trace = Trace::new(sim.clone());
    let caught = catch_unwind(AssertUnwindSafe(|| {
        Device::scope(trace.clone(), 0, |device| -> Result<()> {
            let (a, b) = device.streams::<(A, B)>()?;
            let mut x = a.zeroed::<u32>(64)?;
            a.fill(&mut x, 1)?;
            let _on_b: Buffer<u32, _> = b.take(x)?;
            let _host = device.pinned::<u32>(64)?.on(a);
            panic!("on purpose");
        })
    }));
    assert!(caught.is_err());
    judge(&trace.log()).assert_silent();
    let live = sim.live();
    assert_eq!((live.contexts, live.streams, live.events, live.allocations, live.pinned_allocations), (0, 0, 0, 0, 0));
}

#[test]
fn a_panic_and_a_failed_last_wait_destroy_nothing() {
    let sim = Sim::new();
    let caught = catch_unwind(AssertUnwindSafe(|| {
        Device::scope(sim.clone(), 0, |device| -> Result<()> {
            let a = device.stream::<A>()?;
            forget(a.zeroed::<u32>(64)?);
            sim.faults().inject(Fault::nth(1).of(Call::ContextSync));
            panic!("on purpose");
        })
    }));
    assert!(caught.is_err());
    assert_eq!((sim.live().contexts, sim.live().streams), (1, 1));
}

/// The end of a scope waits for the context, not for the streams that it knows: another scope's work is drained too.
#[test]
fn the_end_waits_for_the_whole_context() {
    let sim = Sim::new();
    Device::scope(sim.clone(), 0, |outer| {
        let a = outer.stream::<A>()?;
        let mut x = a.zeroed::<u32>(64)?;
        a.fill(&mut x, 1)?;
        assert!(sim.live().pending > 0);
        Device::scope(sim.clone(), 0, |inner| inner.stream::<A>().map(drop))?;
        assert_eq!(sim.live().pending, 0);
        assert_eq!(a.download(&x)?, [1; 64]);
        Ok(())
    })
    .expect("nothing fails");
}

/// A poisoned device is not closed: a copy into its staging memory may still be running.
#[test]
fn a_poisoned_device_is_left_as_it_is() {
    let sim = Sim::new();
    let trace = Trace::new(sim.clone());
    let result = Device::scope(trace.clone(), 0, |device| {
        let a = device.stream::<A>()?;
        let x = a.zeroed::<u32>(4)?;
        sim.faults().inject(Fault::nth(1).of(Call::StreamSync));
        assert!(a.download(&x).is_err());
        Ok(())
    });
    assert!(matches!(result, Err(Error::Poisoned { .. })), "{result:?}");
    let counts = trace.counts();
    assert_eq!((counts.of(Traced::StreamDestroy), counts.of(Traced::PinnedFree), counts.of(Traced::Free)), (0, 0, 0));
}

#[test]
fn a_device_that_cannot_be_opened_runs_no_closure() {
    let sim = Sim::new();
    for call in [Call::DeviceCount, Call::ContextOpen] {
        sim.faults().inject(Fault::nth(1).of(call));
        let result = Device::scope(sim.clone(), 0, |_| -> Result<()> { panic!("there is no device") });
        assert!(matches!(result, Err(Error::Driver(_))), "{result:?}");
    }
    let result = Device::scope(sim.clone(), 1, |_| Ok(()));
    assert!(matches!(result, Err(Error::NoSuchDevice { ordinal: 1, count: 1, .. })), "{result:?}");
    assert_eq!(sim.live().contexts, 0);
}
