//! A traced simulator for tests of this crate alone.
#![allow(dead_code, reason = "no test uses all of it")]

use antecede::{Device, Result, Scoped, Several};
use antecede_sim::{Fault, Sim};
use antecede_trace::{Call, Counts, Log, Mark, Trace, judge};

/// The calls that tests count, since a mark.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Orders {
    pub(crate) records: u64,
    pub(crate) waits: u64,
}

pub(crate) fn orders(trace: &Trace, mark: &Mark) -> Orders {
    let counts = trace.counts_since(mark);
    Orders { records: counts.of(Call::EventRecord), waits: counts.of(Call::EventWait) }
}

/// What `f` returns, and the calls that it made.
pub(crate) fn counted<R>(trace: &Trace, f: impl FnOnce() -> R) -> (R, Counts) {
    let mark = trace.mark();
    let result = f();
    (result, trace.counts_since(&mark))
}

/// Runs `test` on a fresh simulated device for several seeds; the judge is silent, and nothing is left, after each.
#[track_caller]
pub(crate) fn on_sim(test: impl for<'id> Fn(Device<Scoped<'id>>, &Sim, &Trace) -> Result<()>) {
    for seed in 0..20 {
        let sim = Sim::builder().seed(seed).build();
        let trace = Trace::new(sim.clone());
        Device::scope(trace.clone(), 0, |device| {
            test(device, &sim, &trace)?;
            assert_eq!(device.leaked(), 0, "seed {seed}");
            Ok(())
        })
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        judge(&trace.log()).assert_silent();
        assert_nothing_is_left(&sim);
    }
}

/// The same on several devices, which reach each other's memory or not.
#[track_caller]
pub(crate) fn on_devices(
    devices: u32,
    reach: bool,
    test: impl for<'id> Fn(&[Device<Several<'id>>], &Sim, &Trace) -> Result<()>,
) {
    for seed in 0..20 {
        let sim = Sim::builder().devices(devices).peer_access(reach).seed(seed).build();
        let trace = Trace::new(sim.clone());
        Device::scope_all(trace.clone(), |devices| {
            test(&devices, &sim, &trace)?;
            assert!(devices.iter().all(|device| device.leaked() == 0), "seed {seed}");
            Ok(())
        })
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        judge(&trace.log()).assert_silent();
        assert_nothing_is_left(&sim);
    }
}

#[track_caller]
pub(crate) fn assert_nothing_is_left(sim: &Sim) {
    let live = sim.live();
    assert_eq!((live.contexts, live.streams, live.events, live.modules), (0, 0, 0, 0), "{sim:?}");
    assert_eq!((live.allocations, live.pinned_allocations), (0, 0), "{sim:?}");
    assert_eq!((live.managed_allocations, live.pools), (0, 0), "{sim:?}");
}

/// Each driver call of `program` fails in turn, before or after it was carried out: nothing panics or races, and what is
/// not freed is counted.
#[track_caller]
pub(crate) fn each_call_fails(program: impl for<'id> Fn(Device<Scoped<'id>>, &Sim) -> Result<()>) {
    faults(|sim, nth, fault| {
        let trace = Trace::new(sim.clone());
        let mut leaked = 0;
        let outcome = Device::scope(trace.clone(), 0, |device| {
            sim.faults().inject(fault.clone());
            let outcome = program(device, sim);
            sim.faults().clear();
            leaked = device.leaked();
            outcome
        });
        let log = trace.log();
        judge(&log).assert_silent();
        let live = sim.live();
        assert!(
            live.allocations + live.pinned_allocations <= leaked,
            "call {nth}: {outcome:?}, {leaked} leaked, {live:?}"
        );
        log
    });
}

/// The same for a program on three devices that reach each other.
#[track_caller]
pub(crate) fn each_call_fails_on_devices(program: impl for<'id> Fn(&[Device<Several<'id>>], &Sim) -> Result<()>) {
    faults(|sim, nth, fault| {
        let trace = Trace::new(sim.clone());
        let mut leaked = 0;
        let outcome = Device::scope_all(trace.clone(), |devices| {
            sim.faults().inject(fault.clone());
            let outcome = program(&devices, sim);
            sim.faults().clear();
            leaked = devices.iter().map(|device| device.leaked()).sum();
            outcome
        });
        let log = trace.log();
        judge(&log).assert_silent();
        let live = sim.live();
        assert!(
            live.allocations + live.pinned_allocations <= leaked,
            "call {nth}: {outcome:?}, {leaked} leaked, {live:?}"
        );
        log
    });
}

/// Runs with the first call failing, then with the second, .. until there is none left to fail.
#[track_caller]
fn faults(run: impl Fn(&Sim, u64, Fault) -> Log) {
    for late in [false, true] {
        for nth in 1.. {
            let sim = Sim::builder().devices(3).seed(nth).build();
            let fault = if late { Fault::nth(nth).after_submitting() } else { Fault::nth(nth) };
            let log = run(&sim, nth, fault);
            if sim.faults().struck() == 0 {
                assert!(nth > 5, "hardly anything could fail");
                assert!(log.entries().iter().all(|entry| entry.outcome.error().is_none()), "the program is right");
                break;
            }
        }
    }
}
