//! Planted races of every class that a log can show. Each has
//! a twin that differs by the fix and must be silent.

mod alloc_and_free;
mod devices;
mod events;
mod failures;
mod host;
mod host_functions;
mod identity;
mod legacy;
mod processes;
mod read_and_write;
mod readers_and_parts;

use antecede_trace::{LogBuilder, RaceKind, judge};

/// One fault and its fix.
struct Case {
    name: &'static str,
    /// Writes the faulty log; returns the races planted: the two entries and their kind.
    faulty: fn(&mut LogBuilder) -> Vec<Planted>,
    /// Writes the same with the missing edge.
    fixed: fn(&mut LogBuilder),
}

type Planted = (u64, u64, RaceKind);

#[test]
fn every_planted_race_is_found_and_nothing_else() {
    for case in cases() {
        let mut log = LogBuilder::new();
        let mut planted = (case.faulty)(&mut log);
        let log = log.finish();
        let report = judge(&log);
        let mut found: Vec<Planted> =
            report.races().iter().map(|race| (race.first.seq, race.second.seq, race.kind)).collect();
        planted.sort();
        found.sort();
        assert!(!planted.is_empty(), "{} plants nothing", case.name);
        assert_eq!(found, planted, "{}: {report}\n{log}", case.name);
    }
}

#[test]
fn every_fixed_twin_is_silent() {
    for case in cases() {
        let mut log = LogBuilder::new();
        (case.fixed)(&mut log);
        let log = log.finish();
        assert!(!log.is_empty(), "{} does nothing", case.name);
        let report = judge(&log);
        assert!(report.is_silent(), "{}: {report}\n{log}", case.name);
    }
}

#[test]
fn names_of_cases_are_unique() {
    let mut names: Vec<_> = cases().map(|case| case.name).collect();
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}

fn cases() -> impl Iterator<Item = Case> {
    [
        read_and_write::cases(),
        alloc_and_free::cases(),
        host::cases(),
        events::cases(),
        identity::cases(),
        failures::cases(),
        legacy::cases(),
        readers_and_parts::cases(),
        devices::cases(),
        host_functions::cases(),
        processes::cases(),
    ]
    .into_iter()
    .flatten()
}
