//! The judge against an oracle that knows nothing of clocks: a graph of operations and its transitive closure.

#[cfg(feature = "draw")]
mod drawn;
mod graph;
mod program;

use std::collections::BTreeSet;

use antecede::driver::StreamKind;
use antecede_trace::{Entry, Log, Report, judge};
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

use self::program::{Step, steps};

/// Earlier entry, later entry, byte.
type Clash = (u64, u64, u64);

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Pair by pair and byte by byte.
    #[test]
    fn the_judge_agrees_with_the_oracle(steps in steps()) {
        let log = program::run(&steps);
        let report = judge(&log);
        let mut judged = BTreeSet::new();
        for race in report.races() {
            for byte in race.ptr.0..race.ptr.0 + race.bytes as u64 {
                let is_new = judged.insert((race.first.seq, race.second.seq, byte));
                assert!(is_new, "reported twice: {race}\n{log}");
            }
        }
        let expected = graph::clashes(&log);
        prop_assert_eq!(&judged, &expected, "{}\n{}", report, log);
    }
}

/// The random programs are worth judging: many race, many do not, and every kind of race occurs.
#[test]
fn random_programs_are_of_all_kinds() {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let (mut silent, mut kinds, mut ordered_by_legacy) = (0, BTreeSet::new(), 0);
    for _ in 0..1_000 {
        let steps: Vec<Step> = steps().new_tree(&mut runner).expect("a program").current();
        let log = program::run(&steps);
        let report = judge(&log);
        silent += usize::from(report.is_silent());
        ordered_by_legacy += usize::from(pairs(&report) != pairs(&judge(&all_non_blocking(&log))));
        kinds.extend(report.races().iter().map(|race| race.kind));
    }
    assert!((100..900).contains(&silent), "{silent} of 1000 programs are silent");
    assert_eq!(kinds.len(), 8, "{kinds:?}");
    assert!(
        ordered_by_legacy > 150,
        "{silent} silent; the legacy streams order something in {ordered_by_legacy} of 1000 programs"
    );
}

fn pairs(report: &Report) -> BTreeSet<(u64, u64)> {
    report.races().iter().map(|race| (race.first.seq, race.second.seq)).collect()
}

/// The same log without the order that the legacy default streams draw.
fn all_non_blocking(log: &Log) -> Log {
    let entries = log.entries().iter().cloned();
    let change = |mut entry: Entry| {
        if let Some(stream) = &mut entry.stream {
            stream.stream.kind = StreamKind::NonBlockingStream;
        }
        entry
    };
    entries.map(change).collect()
}
