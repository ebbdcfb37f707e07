//! Whether a program races, by two deciders that must agree.

use crate::erase::{Erased, IllFormed, Takes, erase};
use crate::program::Program;
use crate::{judged, order};

/// What is known of a program without its types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether two accesses of the same bytes, one of them a write, are unordered.
    pub races: bool,
    /// Whether it uses a value that was moved.
    pub uses_moved: bool,
}

/// Decides by the judge of `antecede-trace` and by [`order`].
///
/// # Errors
/// If it is no program.
///
/// # Panics
/// If the two disagree.
pub fn verdict(program: &Program, takes: Takes) -> Result<Verdict, IllFormed> {
    let Erased { calls, uses_moved } = erase(program, takes)?;
    let report = judged::report(&calls);
    let unordered = order::unordered(&calls);
    assert_eq!(
        report.is_silent(),
        unordered.is_empty(),
        "the deciders disagree on {program:?}: the judge says {report}, the graph {unordered:?} of {calls:#?}"
    );
    Ok(Verdict { races: !unordered.is_empty(), uses_moved })
}
