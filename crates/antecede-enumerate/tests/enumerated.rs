//! All programs of up to two operations, and in some languages three: what rustc accepts does not race.

use antecede_enumerate::compiler::Library;
use antecede_enumerate::experiment::Experiment;
use antecede_enumerate::render::Doors;
use antecede_enumerate::report::Offers;
use antecede_enumerate::{Language, edit};
use std::num::NonZero;

const FILE: NonZero<usize> = NonZero::new(3000).expect("not zero");
const JOBS: NonZero<usize> = NonZero::new(2).expect("not zero");

#[test]
fn what_is_accepted_does_not_race_and_nearly_all_work_is_accepted() {
    let library = Library::build().expect("the library builds");
    let experiment = Experiment { library: &library, length: 2, file: FILE, jobs: JOBS, doors: Doors::Checked };
    // Each accepted program is run, and makes the calls that it is judged by.
    let tally = experiment.run(&Language::all(), |_, _, _| {}).expect("the verdicts are to be trusted");
    assert!(tally.holes.is_empty(), "accepted, and racing: {:#?}", tally.holes);

    let all = tally.all();
    assert_eq!(all.total(), 12_733, "the language has changed: see what the new programs say");
    assert_eq!(tally.moved.accepted_free, 0, "a moved value is used, and accepted");
    assert!(all.refused_racy > 6_000, "programs race less often than they should: {all:?}");
    assert!(all.accepted_free > 1_600, "less is accepted than was: {all:?}");

    let offers = Offers::of(&tally, |refused| !refused.uses_moved);
    assert_eq!(offers.nothing, 0, "some work is not accepted however it is written");
    let free = tally.plain.free();
    assert!(offers.dearer * 100 < 4 * free, "more than 4 % of {free} programs are dearer: {offers:?}");
    for (language, _, cells) in &tally.languages {
        assert!(cells.accepted_free > 0 && cells.refused_racy > 0, "`{language}` shows nothing: {cells:?}");
    }

    // For one program of each reason an edit is found that gets it accepted.
    let refused = &tally.completeness.refused;
    let reasons: std::collections::BTreeSet<_> = refused.iter().map(|refused| &refused.refusal).collect();
    assert!(reasons.len() >= 8, "{reasons:?}");
    for reason in reasons {
        let of_reason = refused.iter().filter(|refused| refused.refusal == *reason);
        let example = of_reason.min_by_key(|refused| refused.simplicity()).expect("a reason has a program");
        let accepted = edit::nearest_accepted(&experiment, &example.program).expect("the verdicts are to be trusted");
        assert!(accepted.is_some(), "no edit gets {:?} accepted", example.program);
    }
}
