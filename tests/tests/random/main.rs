//! Random programs over streams of every kind: what the API lets through is free of races and computes what a sequential
//! run computes; stripped of its waits, it races exactly where the model says.
//!
//! Unless told otherwise more than 10,000 programs run in which no race may be, 7,500 in which every call succeeds and
//! 3,000 in which some fail, and 3,000 that are stripped. `ANTECEDE_PROGRAMS` sets how many programs each test runs, in
//! place of its own number. A million:
//! `ANTECEDE_PROGRAMS=1000000 cargo test --release -p antecede-tests --test random`

mod lanes;
mod machine;
mod memory;
mod model;
mod program;

use crate::machine::{CORNERS, Machine, Outcome};
use crate::program::{Program, Step, program};
use antecede::{Device, Result};
use antecede_sim::{Call, Fault, Sim};
use antecede_trace::{Report, Trace, judge};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};

fn config(cases: u32) -> ProptestConfig {
    let cases = std::env::var("ANTECEDE_PROGRAMS").map_or(cases, |text| text.parse().expect("a number of programs"));
    // A failing program is printed whole, with its seed: there is nothing to keep.
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Whether hand-overs are what the API makes them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    Kept,
    /// Those of the steps that say so are left out.
    Stripped,
    /// They are as in `Kept`, but calls fail, and the program goes on without what that has cost it.
    Failing,
}

fn sim(program: &Program) -> Sim {
    Sim::builder().seed(program.seed).devices(if program.two_devices { 2 } else { 1 }).build()
}

/// Runs a program to its end; or to its first error, unless calls are meant to fail. `closing` is called before the end of the scope, with the number of
/// allocations that were leaked. What is returned is the program's result, and that of the scope.
fn execute(
    trace: &Trace,
    program: &Program,
    waits: Waits,
    mut closing: impl FnMut(usize),
) -> (Result<Outcome>, Result<()>) {
    fn all<D>(machine: Result<Machine<D>>, steps: &[Step], waits: Waits) -> Result<Outcome> {
        let mut machine = machine?;
        for step in steps {
            match machine.step(step) {
                Err(_) if waits == Waits::Failing => machine.forget_what_is_lost(),
                done => done?,
            }
        }
        if waits == Waits::Failing { Ok(Outcome::default()) } else { machine.finish() }
    }
    let mut result = Ok(Outcome::default());
    let scope = if program.two_devices {
        Device::scope_all(trace.clone(), |devices| {
            result = all(Machine::on_two(devices.clone(), waits), &program.steps, waits);
            closing(devices.iter().map(|device| device.leaked()).sum());
            Ok(())
        })
    } else {
        Device::scope(trace.clone(), 0, |device| {
            result = all(Machine::on_one(device, waits), &program.steps, waits);
            closing(device.leaked());
            Ok(())
        })
    };
    (result, scope)
}

/// Runs a program; returns what the judge says of it, and what the model does.
fn run(program: &Program, waits: Waits) -> (Report, Outcome) {
    let sim = sim(program);
    let trace = Trace::new(sim.clone());
    let (outcome, scope) = execute(&trace, program, waits, |leaked| assert_eq!(leaked, 0, "something is leaked"));
    let outcome = outcome.and_then(|outcome| scope.map(|()| outcome)).expect("nothing fails");
    let live = sim.live();
    let left = [live.allocations, live.pinned_allocations, live.managed_allocations, live.pools, live.events];
    assert_eq!(left, [0; 5], "something is left");
    (judge(&trace.log()), outcome)
}

proptest! {
    #![proptest_config(config(7_500))]

    #[test]
    fn programs_are_silent_and_right(program in program()) {
        let (report, outcome) = run(&program, Waits::Kept);
        prop_assert_eq!(outcome.racing, 0, "the model finds a race");
        prop_assert!(report.is_silent(), "{}", report);
    }
}

/// Which calls of a run fail.
fn faults() -> impl Strategy<Value = Vec<Fault>> {
    proptest::collection::vec(fault(), 1..6)
}

fn fault() -> impl Strategy<Value = Fault> {
    let order = prop_oneof![Just(Call::EventRecord), Just(Call::EventWait)];
    let which = prop_oneof![
        4 => (1..200u64).prop_map(Fault::nth),
        1 => (0..Call::ALL.len()).prop_map(|kind| Fault::every().of(Call::ALL[kind])),
        4 => (1..40u64, order).prop_map(|(n, call)| Fault::nth(n).of(call)),
        3 => (1..9u64, 0..Call::ALL.len()).prop_map(|(n, kind)| Fault::nth(n).of(Call::ALL[kind])),
    ];
    (which, any::<bool>()).prop_map(|(fault, late)| if late { fault.after_submitting() } else { fault })
}

/// Runs a program in which calls fail, and drops what it has.
fn run_with_failures(program: &Program, faults: Vec<Fault>) -> Report {
    let sim = sim(program);
    let trace = Trace::new(sim.clone());
    faults.into_iter().for_each(|fault| sim.faults().inject(fault));
    let mut leaked = 0;
    let (_, closed) = execute(&trace, program, Waits::Failing, |counted| {
        sim.faults().clear();
        leaked = counted;
    });
    let live = sim.live();
    let device_memory = live.allocations;
    let host_memory = live.pinned_allocations + live.managed_allocations;
    // Memory that was freed, and reported as failed, counts as leaked too.
    let left = if closed.is_ok() { device_memory + host_memory } else { device_memory };
    assert!(left <= leaked, "{left} allocations are left, {leaked} were counted");
    judge(&trace.log())
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn failing_calls_neither_race_nor_lose_memory(program in program(), faults in faults()) {
        let report = run_with_failures(&program, faults);
        prop_assert!(report.is_silent(), "{}", report);
    }

    #[test]
    fn programs_without_some_waits_race_as_the_model_says(program in program()) {
        let (report, outcome) = run(&program, Waits::Stripped);
        let judged: BTreeSet<u64> = report.races().iter().map(|race| race.second.seq).collect();
        prop_assert_eq!(judged.len(), outcome.racing, "{}", report);
    }
}

/// Else the tests above would prove nothing.
#[test]
fn random_programs_race_often_without_their_waits_and_reach_every_corner() {
    let mut runner = TestRunner::deterministic();
    let strategy = program();
    let (mut racing, mut kinds, mut reached) = (0, BTreeSet::new(), BTreeMap::new());
    for _ in 0..600 {
        let program = strategy.new_tree(&mut runner).expect("a program").current();
        for step in &program.steps {
            kinds.insert(step.name());
            if let Step::Share { inside, .. } = step {
                kinds.extend(inside.iter().map(program::Inside::name));
            }
        }
        racing += usize::from(run(&program, Waits::Stripped).1.racing > 0);
        for corner in run(&program, Waits::Kept).1.reached {
            *reached.entry(corner).or_insert(0) += 1;
        }
    }
    assert!((200..580).contains(&racing), "{racing} of 600 programs race");
    let all: BTreeSet<_> = Step::NAMES.iter().chain(program::Inside::NAMES).copied().collect();
    assert_eq!(kinds, all);
    let seldom: Vec<_> = CORNERS.iter().filter(|&corner| reached.get(corner).is_none_or(|&times| times < 3)).collect();
    assert!(seldom.is_empty(), "{seldom:?} of {reached:?}");
}
