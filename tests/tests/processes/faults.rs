//! Each driver call of a whole exchange fails in turn, on the exporter's side and on the importer's: refused, and carried out
//! but reported as failed.
//!
//! Whatever fails: no panic, no race, no memory that is neither freed nor counted as leaked; nothing comes back to the exporter
//! that the importer may still have mapped; and afterwards both go on, unless a device says that it is poisoned.

use crate::exchange::exchange;
use crate::in_one::Side;
use antecede::Device;
use antecede_ipc::Error;
use antecede_sim::{Call, Fault};

/// Which side the faults are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Struck {
    Exporter,
    Importer,
}

/// What came of one run.
struct Run {
    /// `Err` only if a side gave up.
    outcome: Result<(), Error>,
    poisoned: bool,
    calls: u64,
}

/// Runs an exchange with some faults, and checks what must hold whatever they are.
fn run(side: Struck, seed: u64, faults: &[Fault]) -> Run {
    let (exporter, importer) = (Side::new(seed), Side::new(seed + 1));
    let struck = if side == Struck::Exporter { &exporter.sim } else { &importer.sim };
    let before = struck.calls().total();
    faults.iter().for_each(|fault| struck.faults().inject(fault.clone()));
    let (mut outcome, mut leaked, mut poisoned, mut calls) = (Ok(()), (0, 0), false, 0);
    let scope = Device::scope(exporter.trace.clone(), 0, |here| {
        Device::scope(importer.trace.clone(), 0, |there| {
            // What was lost stays mapped, and is counted.
            let let_go = || importer.sim.live().imported_allocations <= there.leaked();
            outcome = exchange(here, there, &let_go);
            calls = struck.calls().total() - before;
            struck.faults().clear();
            poisoned = here.is_poisoned() || there.is_poisoned();
            leaked = (here.leaked(), there.leaked());
            let live = (exporter.sim.live().allocations, importer.sim.live().imported_allocations);
            assert!(live.0 <= leaked.0, "{live:?} are left, {leaked:?} were counted");
            assert!(live.1 <= leaked.1, "{live:?} are left, {leaked:?} were counted");
            if !poisoned {
                exchange(here, there, &let_go).expect("nothing fails any more");
            }
            Ok(())
        })
    });
    struck.faults().clear();
    exporter.assert_silent();
    importer.assert_silent();
    if let Err(error) = scope
        && !poisoned
    {
        // A device could not even be opened.
        outcome = Err(error.into());
    }
    match &outcome {
        Ok(()) => {}
        Err(Error::NoReceipt { .. }) => assert!(leaked.1 > 0 || poisoned, "it was lost, and nobody has counted it"),
        Err(Error::Device(_) | Error::Link(_) | Error::ImporterGone { .. } | Error::Spent) => {}
        Err(error) => panic!("{error}"),
    }
    Run { outcome, poisoned, calls }
}

fn each_call_once(side: Struck, after_submitting: bool) {
    let total = run(side, 0, &[]).calls;
    assert!(total > 80, "{total} calls are no exchange");
    let (mut poisoned, mut lost) = (0, 0);
    for n in 1..=total {
        let fault = if after_submitting { Fault::nth(n).after_submitting() } else { Fault::nth(n) };
        let run = run(side, n, &[fault]);
        match run.outcome {
            Ok(()) => {}
            Err(Error::NoReceipt { .. }) => lost += 1,
            Err(Error::Device(antecede::Error::Poisoned { .. })) => assert!(run.poisoned, "call {n}"),
            // The first calls open the device.
            Err(error) => assert!(n <= 2 || run.poisoned, "call {n} of {total}: {error}"),
        }
        poisoned += u64::from(run.poisoned);
    }
    assert!(poisoned + lost < total / 2, "{poisoned} of {total} runs were poisoned, {lost} lost a buffer");
}

fn three_in_a_row(side: Struck, after_submitting: bool) {
    let late = |fault: Fault| if after_submitting { fault.after_submitting() } else { fault };
    for n in (1..=run(side, 0, &[]).calls).step_by(3) {
        run(side, n, &[late(Fault::nth(n)), late(Fault::nth(n + 1)), late(Fault::nth(n + 2))]);
    }
}

fn each_kind_always(side: Struck) {
    for &call in Call::ALL {
        run(side, 1, &[Fault::every().of(call)]);
        run(side, 1, &[Fault::every().of(call).after_submitting()]);
    }
}

#[test]
fn each_call_of_the_exporter_is_refused_once() {
    each_call_once(Struck::Exporter, false);
}

#[test]
fn each_call_of_the_exporter_reports_a_failure_after_it_was_submitted() {
    each_call_once(Struck::Exporter, true);
}

#[test]
fn each_call_of_the_importer_is_refused_once() {
    each_call_once(Struck::Importer, false);
}

#[test]
fn each_call_of_the_importer_reports_a_failure_after_it_was_submitted() {
    each_call_once(Struck::Importer, true);
}

#[test]
fn three_calls_in_a_row_fail() {
    for side in [Struck::Exporter, Struck::Importer] {
        three_in_a_row(side, false);
        three_in_a_row(side, true);
    }
}

#[test]
fn each_kind_of_call_always_fails() {
    each_kind_always(Struck::Exporter);
    each_kind_always(Struck::Importer);
}
