//! The experiment, weakened on purpose: it must notice.

use antecede_enumerate::compiler::Library;
use antecede_enumerate::erase::{Call, Takes, erase};
use antecede_enumerate::experiment::Experiment;
use antecede_enumerate::program::Op;
use antecede_enumerate::render::Doors;
use antecede_enumerate::{Language, judged, order};
use std::num::NonZero;

const FILE: NonZero<usize> = NonZero::new(3000).expect("not zero");
const JOBS: NonZero<usize> = NonZero::new(2).expect("not zero");

/// `take` is believed and not made: then programs race that rustc accepts, all of them by a `take`.
#[test]
fn an_unchecked_hand_over_is_found() {
    let library = Library::build().expect("the library builds");
    let experiment = Experiment { library: &library, length: 2, file: FILE, jobs: JOBS, doors: Doors::TakeUnchecked };
    let named = |name: &str| Language::all().into_iter().find(|language| language.name == name).expect("a language");
    let languages = [named("hand-overs"), named("parts"), named("pinned memory")];
    let tally = experiment.run(&languages, |_, _, _| {}).expect("the verdicts are to be trusted");
    let all = tally.all();
    assert!(all.accepted_racy > 50, "{all:?}");
    assert_eq!(all.accepted_racy, tally.holes.len());
    for hole in &tally.holes {
        assert!(
            hole.ops.iter().any(|op| matches!(op, Op::Take(..) | Op::TakeBoth(_) | Op::TakeWithPinned(_))),
            "{hole:?}"
        );
    }
}

/// Every call that orders, left out of every short program: the deciders agree on what is left, and it matters.
#[test]
fn a_call_that_is_left_out_is_noticed_by_both_deciders() {
    let (mut thinned, mut racing) = (0, 0);
    for language in Language::all() {
        for program in language.programs(2) {
            let calls = erase(&program, Takes::Made).expect("it is a program").calls;
            if !order::unordered(&calls).is_empty() {
                continue;
            }
            for (place, call) in calls.iter().enumerate() {
                if matches!(call, Call::Submit(..) | Call::Host(_) | Call::Reused(..)) {
                    continue;
                }
                let mut fewer = calls.clone();
                fewer.remove(place);
                let (graph, judge) = (order::unordered(&fewer), judged::report(&fewer));
                assert_eq!(graph.is_empty(), judge.is_silent(), "{fewer:#?}\n{judge}");
                thinned += 1;
                racing += usize::from(!graph.is_empty());
            }
        }
    }
    assert!(thinned > 5_000 && racing * 4 > thinned, "{racing} of {thinned} race");
}

/// The deciders agree on all programs one operation longer than those that are compiled.
#[test]
fn the_deciders_agree_on_longer_programs() {
    let mut judged = 0;
    for language in Language::all() {
        for program in language.programs(if cfg!(debug_assertions) { 2 } else { 3 }) {
            antecede_enumerate::verdict::verdict(&program, Takes::Made).expect("it is a program");
            judged += 1;
        }
    }
    assert!(judged > 12_000, "{judged}");
}
