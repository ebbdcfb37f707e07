//! What a missing wait does: the hazards are real. One stream is held, by a kernel that spins, and another goes ahead.
//! Through the unsafe door, without the wait, the data is wrong every time, and the judge names the race; as the types
//! ask, it is right every time, and the judge is silent.
//!
//! On the simulator nothing is held, and any order that is allowed may be taken: without the wait the data is wrong in
//! some runs, and the judge names the race in each.
//!
//! On a GPU one test at a time, or the streams of one are held by the kernels of another:
//! `cargo test --features cuda --test latched_timed_twins -- --ignored --test-threads=1 --nocapture`
//!
//! The same between processes: `tests/tests/processes/ready.rs`.

mod held;
mod host;
mod memory;
mod streams;

use antecede::{Device, Result, Scoped};
use antecede_testkit::{Fixture, on_cust, report_on_cust};
use antecede_trace::RaceKind;
use held::Way;

/// Runs of each program on a GPU.
const RUNS: u64 = 10;
/// Runs of each program on the simulator, each with a seed of its own.
const SEEDS: u64 = 64;
/// In the head of a GPU's columns while they have no figures.
const NOT_RUN: &str = " (run on a GPU: scripts/gpu-bundle.sh, bundle/run.sh)";

/// A program with a wait, and without it. True: the data was right.
type Program = fn(Device<Scoped<'_>>, Way) -> Result<bool>;

/// A hazard, and the program that shows it.
struct Twin {
    class: &'static str,
    name: &'static str,
    cases: &'static str,
    /// What the judge calls it.
    race: RaceKind,
    program: Program,
}

/// How often the data was wrong without the wait, and right with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Score {
    wrong_without: u64,
    right_with: u64,
    runs: u64,
}

impl Twin {
    fn on_sim(&self) -> Score {
        let mut score = Score { wrong_without: 0, right_with: 0, runs: SEEDS };
        // A fixture fails where the judge finds a race, unless they are allowed.
        Fixture::new().seeds(0..SEEDS).run(|device, _| {
            score.right_with += u64::from((self.program)(device, Way::HandOver)?);
            Ok(())
        });
        Fixture::new().seeds(0..SEEDS).allow_races().run(|device, bench| {
            score.wrong_without += u64::from(!(self.program)(device, Way::WithoutWaiting)?);
            let report = bench.report();
            assert!(report.races().iter().any(|race| race.kind == self.race), "{}: {report}", self.name);
            Ok(())
        });
        score
    }

    /// Also what the judge was expected to say and did not.
    fn on_gpu(&self) -> (Score, Vec<String>) {
        let mut score = Score { wrong_without: 0, right_with: 0, runs: RUNS };
        let mut complaints = Vec::new();
        let report = report_on_cust(|device| {
            for _ in 0..RUNS {
                score.right_with += u64::from((self.program)(device, Way::HandOver)?);
            }
            Ok(())
        });
        if !report.is_silent() {
            complaints.push(format!("{}, with the wait: {report}", self.name));
        }
        let report = report_on_cust(|device| {
            for _ in 0..RUNS {
                score.wrong_without += u64::from(!(self.program)(device, Way::WithoutWaiting)?);
            }
            Ok(())
        });
        if !report.races().iter().any(|race| race.kind == self.race) {
            complaints.push(format!("{}, without the wait, no {:?}: {report}", self.name, self.race));
        }
        // A held stream leaves one order.
        if score != (Score { wrong_without: RUNS, right_with: RUNS, runs: RUNS }) {
            complaints.push(format!("{}: wrong without {}, right with {}", self.name, score.wrong(), score.right()));
        }
        (score, complaints)
    }

    /// A line of the table on evidence, without its last columns, which are of a GPU.
    fn row(&self, sim: Score) -> String {
        let Twin { class, name, cases, .. } = self;
        let name = name.replace('_', " ");
        format!("| {class} | {name} | {cases} | {} | {} |", sim.wrong(), sim.right())
    }
}

impl Score {
    fn wrong(self) -> String {
        format!("{} of {}", self.wrong_without, self.runs)
    }

    fn right(self) -> String {
        format!("{} of {}", self.right_with, self.runs)
    }
}

macro_rules! twins {
    ($($class:literal, $file:ident::$name:ident, $race:ident, $cases:literal;)+) => {
        const CLASSES: &[Twin] = &[ $( Twin {
            class: $class,
            name: stringify!($name),
            cases: $cases,
            race: RaceKind::$race,
            program: $file::$name,
        } ),+ ];

        $( mod $name {
            fn twin() -> &'static super::Twin {
                super::CLASSES.iter().find(|twin| twin.name == stringify!($name)).expect("it is in the table")
            }

            #[test]
            #[ignore = "needs a GPU"]
            fn is_wrong_without_the_wait_and_right_with_it() {
                let (_, complaints) = twin().on_gpu();
                assert!(complaints.is_empty(), "{complaints:#?}");
            }

            #[test]
            fn on_the_simulator() {
                let score = twin().on_sim();
                assert_eq!(score.right_with, score.runs, "right with the wait");
                assert!(score.wrong_without > 0, "never wrong without the wait");
            }
        } )+
    };
}

twins! {
    "RAW", streams::read_after_write, ReadAfterWrite, "SEED-5, RAW-01, RAW-03, RAW-05, RAW-07, RAW-09, RAW-11";
    "WAR", streams::write_after_read, WriteAfterRead, "WAR-01, WAR-05";
    "WAW", streams::write_after_write, WriteAfterWrite, "WAW-01";
    "ALLOC", memory::use_before_the_allocation, UseBeforeAlloc, "SEED-1, ALLOC-01, ALLOC-03, ALLOC-05";
    "FREE", memory::free_after_read, UseAfterFree, "FREE-01, FREE-05, FREE-13, FREE-15, FREE-19";
    "FREE", memory::free_on_legacy_after_read, UseAfterFree, "FREE-21";
    "FREE", memory::a_shared_buffer_is_freed_after_a_reader, UseAfterFree, "FREE-07, FREE-09";
    "FREE", host::pinned_parts_are_used_again_after_every_part, WriteAfterRead, "FREE-11, FREE-17";
    "HOST", host::the_host_reads_a_destination, HostAccessInFlight, "HOST-01, HOST-05";
    "HOST", host::the_host_writes_a_source, HostAccessInFlight, "WAR-07";
    "HOST", host::the_host_writes_what_is_filled, HostAccessInFlight, "WAW-03";
    "LEG", streams::non_blocking_writes_after_legacy, WriteAfterWrite, "SEED-2";
    "LEG", streams::non_blocking_reads_after_legacy, ReadAfterWrite, "LEG-01, LEG-03, LEG-05";
    "LEG", streams::legacy_after_a_non_blocking_stream, WriteAfterWrite, "–";
    "LEG", streams::from_blocking_through_legacy_to_blocking, WriteAfterWrite, "–";
    "LEG", streams::read_after_a_free_that_is_no_wait, ReadAfterWrite, "LEG-07";
    "STALE", streams::read_after_a_record_that_was_too_early, ReadAfterWrite, "STALE-01";
    "STALE", streams::read_after_the_event_of_another_stream, ReadAfterWrite, "STALE-03";
    "WSTR", streams::read_after_one_of_two_is_joined, ReadAfterWrite, "WSTR-01";
    "WSTR", streams::read_after_the_host_waits_for_other_streams, ReadAfterWrite, "WSTR-03, WSTR-05";
    "VIEW", streams::write_while_a_view_is_copied, WriteAfterRead, "VIEW-01";
    "parts", memory::parts_are_freed_after_every_part, UseAfterFree, "FP-05";
    "parts", memory::parts_are_joined_after_every_part, ReadAfterWrite, "FP-05";
    "readers", memory::a_writer_after_a_reader, WriteAfterRead, "WAR-03, FP-21";
    "readers", memory::a_writer_after_one_of_two_readers, WriteAfterRead, "WAW-01";
}

/// The table of the page on evidence, with a GPU's figures or without them.
fn table(gpu: Option<&[Score]>) -> String {
    let note = if gpu.is_some() { "" } else { NOT_RUN };
    let mut table = format!(
        "| Class | What is shown | Cases | Simulator: wrong without | right with | GPU: wrong without (k of n){note} | \
         right with (n of n){note} |\n|---|---|---|---:|---:|---:|---:|\n"
    );
    for (i, twin) in CLASSES.iter().enumerate() {
        let gpu = gpu.map(|scores| (scores[i].wrong(), scores[i].right()));
        let (wrong, right) = gpu.unwrap_or_else(|| ("–".into(), "–".into()));
        table.push_str(&format!("{} {wrong} | {right} |\n", twin.row(twin.on_sim())));
    }
    table
}

/// For the page on evidence. Printed before anything is asserted.
#[test]
#[ignore = "needs a GPU"]
fn table_of_all() {
    let (scores, complaints): (Vec<_>, Vec<_>) = CLASSES.iter().map(Twin::on_gpu).unzip();
    println!("\n{}", table(Some(&scores)));
    let complaints = complaints.concat();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// The figures of the simulator are those of the page on evidence.
#[test]
fn table_on_the_simulator() {
    if std::env::var_os("ANTECEDE_SIM_SEED").is_some() {
        return; // a run of one seed
    }
    println!("\n{}", table(None));
    let (page, known) = (include_str!("../../../docs/src/evidence.md"), include_str!("../../../docs/src/cases.md"));
    for twin in CLASSES {
        let row = twin.row(twin.on_sim());
        assert!(page.contains(&row), "not on the page: {row}");
        for case in twin.cases.split(", ").filter(|case| *case != "–") {
            assert!(known.contains(&format!("| `{case}` |")), "no such case: {case}");
        }
    }
}

/// The other side: what needs no call is right without one.
#[test]
#[ignore = "needs a GPU"]
fn legacy_after_a_blocking_stream_is_right_without_a_call() {
    on_cust(|device| {
        for _ in 0..RUNS {
            assert!(streams::legacy_after_a_blocking_stream(device)?);
        }
        Ok(())
    });
}

#[test]
fn legacy_after_a_blocking_stream_is_right_on_the_simulator() {
    Fixture::new().seeds(0..SEEDS).run(|device, _| {
        assert!(streams::legacy_after_a_blocking_stream(device)?);
        Ok(())
    });
}
