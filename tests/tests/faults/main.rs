//! Every driver call of several programs is made to fail in turn: refused, and carried out but reported as failed.
//!
//! Whatever fails: no panic, no race, no memory that is neither freed nor counted as leaked, values that come back with
//! an error are usable, and afterwards the device is, unless it says that it is poisoned.
#![allow(clippy::result_large_err, reason = "an error that gives buffers back is as large as they are")]

mod persistent;
mod programs;

use crate::persistent::use_again;
use antecede::{Device, Error, Result, Scoped};
use antecede_sim::{Call, Fault, Sim};
use antecede_trace::{Call as Traced, Log, Outcome, Trace, judge};

/// A program that tries what fails again, and checks its data.
type Program = for<'id> fn(Device<Scoped<'id>>) -> Result<()>;

/// What came of one run.
struct Run {
    /// `Err` only if the program gave up.
    outcome: Result<()>,
    poisoned: bool,
}

/// Runs a program with some faults, and checks what must hold whatever they are.
fn run(program: Program, seed: u64, faults: &[Fault]) -> Run {
    let sim = Sim::builder().seed(seed).build();
    let trace = Trace::new(sim.clone());
    faults.iter().for_each(|fault| sim.faults().inject(fault.clone()));
    let (mut outcome, mut leaked, mut poisoned) = (Ok(()), 0, false);
    let scope = Device::scope(trace.clone(), 0, |device| {
        outcome = program(device);
        sim.faults().clear();
        poisoned = device.is_poisoned();
        match use_again(device) {
            Ok(()) => assert!(!poisoned, "a poisoned device submits nothing"),
            Err(Error::Poisoned { .. }) => assert!(poisoned),
            Err(error) => panic!("the device is not poisoned and does not work: {error}"),
        }
        leaked = device.leaked();
        Ok(())
    });
    assert!(scope.is_ok() || poisoned || !is_open(&trace.log()), "{scope:?}");
    accounted_for(&sim, &trace.log(), leaked, scope.is_ok());
    judge(&trace.log()).assert_silent();
    if let Err(error) = scope
        && !poisoned
    {
        // The device could not even be opened.
        outcome = Err(error);
    }
    Run { outcome, poisoned }
}

fn is_open(log: &Log) -> bool {
    log.entries()
        .iter()
        .any(|entry| entry.call == Traced::ContextOpen && matches!(entry.outcome, Outcome::Ended { .. }))
}

/// What is still allocated was counted as leaked. (What was freed, and reported as failed, counts as leaked too.)
fn accounted_for(sim: &Sim, log: &Log, leaked: usize, closed: bool) {
    let live = sim.live();
    assert!(live.allocations <= leaked, "{} allocations are left, {leaked} were counted", live.allocations);
    if closed {
        // At the end of a scope nobody can read the count any more.
        let failed =
            log.entries().iter().filter(|e| e.call == Traced::PinnedFree && e.outcome.error().is_some()).count();
        let left = live.allocations + live.pinned_allocations;
        assert!(left <= leaked + failed, "{left} allocations are left, {leaked} and {failed} were counted");
        assert_eq!((live.streams, live.modules, live.contexts, live.pending), (0, 0, 0, 0));
    }
}

/// How many driver calls the program makes when nothing fails.
fn calls(program: Program) -> u64 {
    let sim = Sim::builder().seed(0).build();
    Device::scope(sim.clone(), 0, program).expect("nothing fails");
    sim.calls().total()
}

/// The n-th call fails, for every n. It fails once, so a program that tries again comes through with the right data,
/// unless the device was poisoned.
fn each_call_once(program: Program, after_submitting: bool) {
    let total = calls(program);
    let mut poisoned = 0;
    for n in 1..=total {
        let fault = if after_submitting { Fault::nth(n).after_submitting() } else { Fault::nth(n) };
        let run = run(program, n, &[fault]);
        match run.outcome {
            Ok(()) => assert!(!run.poisoned, "call {n}: a poisoned device was not noticed"),
            Err(Error::Poisoned { .. }) => assert!(run.poisoned, "call {n}"),
            // The first calls open the device, which the program cannot try again.
            Err(error) => assert!(n <= 2, "call {n} of {total}: {error}"),
        }
        poisoned += u64::from(run.poisoned);
    }
    assert!(poisoned < total / 2, "{poisoned} of {total} runs were poisoned: little is left of the test");
}

/// All calls of one kind fail, for every kind.
fn each_kind_always(program: Program, after_submitting: bool) {
    for &call in Call::ALL {
        let fault = Fault::every().of(call);
        let fault = if after_submitting { fault.after_submitting() } else { fault };
        run(program, 1, &[fault]);
    }
}

/// Three calls fail: the second and third while the first failure is being dealt with.
fn three_in_a_row(program: Program, after_submitting: bool) {
    for n in 1..=calls(program) {
        let late = |fault: Fault| if after_submitting { fault.after_submitting() } else { fault };
        run(program, n, &[late(Fault::nth(n)), late(Fault::nth(n + 1)), late(Fault::nth(n + 2))]);
    }
}

macro_rules! sweeps {
    ($($program:ident),* $(,)?) => { $(
        mod $program {
            use crate::{each_call_once, each_kind_always, three_in_a_row};

            #[test]
            fn each_call_is_refused_once() {
                each_call_once(|device| crate::programs::$program(device), false);
            }

            #[test]
            fn each_call_reports_a_failure_after_it_was_submitted() {
                each_call_once(|device| crate::programs::$program(device), true);
            }

            #[test]
            fn each_kind_of_call_always_fails() {
                each_kind_always(|device| crate::programs::$program(device), false);
                each_kind_always(|device| crate::programs::$program(device), true);
            }

            #[test]
            fn three_calls_in_a_row_fail() {
                three_in_a_row(|device| crate::programs::$program(device), false);
                three_in_a_row(|device| crate::programs::$program(device), true);
            }
        }
    )* };
}

sweeps! { hand_overs, batches_and_records, pinned_ring, slices, kernels, drops, fields, parts, readers }
