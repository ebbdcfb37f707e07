//! The least change that gets a refused program accepted.

use crate::compiler;
use crate::completeness::job_of;
use crate::erase::Takes;
use crate::experiment::Experiment;
use crate::language::Language;
use crate::program::{Op, Program, Var};
use crate::verdict::verdict;
use std::collections::BTreeSet;

/// The most programs that are tried for one refused program.
const TRIED: usize = 6000;

/// The accepted program that does the same work and is nearest: one operation added, exchanged or left out, or two. Among
/// equally near ones, one of no higher cost, if there is one.
///
/// # Errors
/// If the verdicts of rustc are not to be trusted.
///
/// # Panics
/// If `refused` is no program.
pub fn nearest_accepted(experiment: &Experiment<'_>, refused: &Program) -> Result<Option<Program>, compiler::Error> {
    let alphabet = alphabet(refused);
    let once: BTreeSet<Program> = edits(refused, &alphabet).collect();
    let twice = || once.iter().flat_map(|program| edits(program, &alphabet)).collect::<BTreeSet<Program>>();
    if let Some(found) = first_accepted(experiment, refused, &once)? {
        return Ok(Some(found));
    }
    first_accepted(experiment, refused, &twice())
}

fn first_accepted(
    experiment: &Experiment<'_>,
    refused: &Program,
    edited: &BTreeSet<Program>,
) -> Result<Option<Program>, compiler::Error> {
    let (job, cost) = job_of(refused);
    let does_the_same = |program: &&Program| {
        !program.ops.is_empty()
            && verdict(program, Takes::Made).is_ok_and(|found| !found.races && !found.uses_moved)
            && job_of(program).0 == job
    };
    let mut candidates: Vec<&Program> = edited.iter().filter(does_the_same).collect();
    candidates.sort_by_cached_key(|program| {
        let found = job_of(program).1;
        (!found.at_most(&cost), found.host_waits, found.events, program.ops.len())
    });
    candidates.truncate(TRIED);
    let candidates: Vec<Program> = candidates.into_iter().cloned().collect();
    let refusals = experiment.compile(&candidates, |_| ())?;
    let accepted = candidates.into_iter().zip(refusals).find(|(_, refusal)| refusal.is_none());
    Ok(accepted.map(|(program, _)| program))
}

/// The operations on the streams and buffers of a program.
fn alphabet(program: &Program) -> Vec<Op> {
    let has = [(Var::X, program.x.is_some()), (Var::Y, program.y.is_some()), (Var::P, program.has_pinned())];
    let vars: Vec<Var> = has.into_iter().filter(|(_, has)| *has).map(|(var, _)| var).collect();
    Language::over(&program.streams(), &vars)
}

fn edits<'a>(program: &'a Program, alphabet: &'a [Op]) -> impl Iterator<Item = Program> + 'a {
    let with = |ops: Vec<Op>| Program { ops, ..program.clone() };
    let added = (0..=program.ops.len()).flat_map(move |place| {
        alphabet.iter().map(move |&op| {
            let mut ops = program.ops.clone();
            ops.insert(place, op);
            with(ops)
        })
    });
    let exchanged = (0..program.ops.len()).flat_map(move |place| {
        alphabet.iter().map(move |&op| {
            let mut ops = program.ops.clone();
            ops[place] = op;
            with(ops)
        })
    });
    let left_out = (0..program.ops.len()).map(move |place| {
        let mut ops = program.ops.clone();
        ops.remove(place);
        with(ops)
    });
    added.chain(exchanged).chain(left_out)
}
