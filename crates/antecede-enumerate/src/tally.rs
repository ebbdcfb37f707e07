//! What was found of all programs.

use crate::compiler::Refusal;
use crate::completeness::Completeness;
use crate::program::{Op, Program, Stream};
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Numbers of programs, by what rustc says and by whether they race.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cells {
    /// Accepted, and free of races.
    pub accepted_free: usize,
    /// Accepted, and racing: holes.
    pub accepted_racy: usize,
    /// Refused, and free of races.
    pub refused_free: usize,
    /// Refused, and racing.
    pub refused_racy: usize,
}

impl Cells {
    fn of(accepted: bool, races: bool) -> Cells {
        Cells {
            accepted_free: usize::from(accepted && !races),
            accepted_racy: usize::from(accepted && races),
            refused_free: usize::from(!accepted && !races),
            refused_racy: usize::from(!accepted && races),
        }
    }

    /// All programs.
    pub fn total(&self) -> usize {
        self.free() + self.accepted_racy + self.refused_racy
    }

    /// Those without a race.
    pub fn free(&self) -> usize {
        self.accepted_free + self.refused_free
    }

    /// Of those without a race, the part that is accepted, in percent.
    pub fn accepted_share(&self) -> f64 {
        100.0 * self.accepted_free as f64 / self.free().max(1) as f64
    }
}

impl AddAssign for Cells {
    fn add_assign(&mut self, other: Cells) {
        self.accepted_free += other.accepted_free;
        self.accepted_racy += other.accepted_racy;
        self.refused_free += other.refused_free;
        self.refused_racy += other.refused_racy;
    }
}

/// What programs use, for the shares by feature. A program may have several.
pub const FEATURES: [(&str, fn(&Program) -> bool); 11] = [
    ("hand-over (`take`)", |program| {
        any(program, |op| matches!(op, Op::Take(..) | Op::TakeBoth(_) | Op::TakeWithPinned(_)))
    }),
    ("batch of two buffers", |program| any(program, Op::is_batch)),
    ("`record`, `wait`, `synchronize`", |program| any(program, |op| matches!(op, Op::Record(..) | Op::RecordBoth(_)))),
    ("`share`, `lease`, `reunite`", |program| any(program, |op| matches!(op, Op::Share(..)))),
    ("a lease that is kept", |program| any(program, |op| matches!(op, Op::Hold(..)))),
    ("parts", |program| any(program, |op| matches!(op, Op::Split()))),
    ("pinned memory", Program::has_pinned),
    ("host waits (`sync`, `download`)", |program| {
        any(program, |op| {
            matches!(
                op,
                Op::Sync(..)
                    | Op::SyncBoth(_)
                    | Op::SyncWithPinned(_)
                    | Op::SyncDevice(_)
                    | Op::SyncDeviceBoth()
                    | Op::Download(..)
            )
        })
    }),
    ("host access", |program| any(program, |op| matches!(op, Op::HostRead(_) | Op::HostWrite(_)))),
    ("legacy or blocking stream", |program| {
        program.streams().iter().any(|stream| stream.is_blocking() || *stream == Stream::Legacy)
    }),
    ("three streams or more", |program| program.streams().len() >= 3),
];

fn any(program: &Program, has: impl Fn(Op) -> bool) -> bool {
    program.ops.iter().any(|&op| has(op))
}

/// What was found.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// By language, in order.
    pub languages: Vec<(&'static str, usize, Cells)>,
    /// Programs in which every name means its latest value.
    pub plain: Cells,
    /// Programs that use a moved value.
    pub moved: Cells,
    /// By feature, of the plain programs.
    pub features: BTreeMap<&'static str, Cells>,
    /// The programs that race, by the reason for which they are refused.
    pub racy: BTreeMap<Refusal, usize>,
    /// Those that do not.
    pub completeness: Completeness,
    /// Programs that are accepted and race.
    pub holes: Vec<Program>,
}

impl Tally {
    /// All programs.
    pub fn all(&self) -> Cells {
        let mut all = self.plain;
        all += self.moved;
        all
    }

    /// Begins a language.
    pub fn begin(&mut self, language: &'static str, length: usize) {
        self.languages.push((language, length, Cells::default()));
    }

    /// Adds a program of the latest language.
    ///
    /// # Panics
    /// If there is no language.
    pub fn add(&mut self, program: &Program, verdict: Verdict, refusal: Option<&Refusal>) {
        let cells = Cells::of(refusal.is_none(), verdict.races);
        self.languages.last_mut().expect("a language has begun").2 += cells;
        if verdict.uses_moved {
            self.moved += cells;
        } else {
            self.plain += cells;
            for (name, _) in FEATURES.iter().filter(|(_, has)| has(program)) {
                *self.features.entry(name).or_default() += cells;
            }
        }
        match refusal {
            None if verdict.races => self.holes.push(program.clone()),
            Some(refusal) if verdict.races => *self.racy.entry(refusal.clone()).or_default() += 1,
            _ => self.completeness.add(program, verdict.uses_moved, refusal),
        }
    }
}
