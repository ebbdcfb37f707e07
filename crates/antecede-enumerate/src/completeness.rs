//! Of the programs that are refused and do not race: is the same work accepted, written otherwise?

use crate::compiler::Refusal;
use crate::erase::{Takes, erase};
use crate::plan::{Readers, Route, plan};
use crate::program::{Program, Var};
use crate::verdict::verdict;
use crate::work::{Cost, Job, job};
use std::collections::{BTreeSet, HashMap};

/// A program that is refused and does not race.
#[derive(Clone, Debug)]
pub struct RefusedFree {
    /// The program.
    pub program: Program,
    /// Why it is refused.
    pub refusal: Refusal,
    /// Whether it uses a moved value.
    pub uses_moved: bool,
    job: Job,
    cost: Cost,
}

impl RefusedFree {
    /// Least for the best example: one that ends in an access of data, is short, and has few streams and buffers.
    pub fn simplicity(&self) -> impl Ord + use<> {
        let vars: BTreeSet<Var> = self.program.ops.iter().flat_map(|op| op.vars()).collect();
        let many = vars.len() + self.program.streams().len();
        let ends_in_access = self.program.ops.last().is_some_and(|op| op.accesses_data());
        (self.uses_moved, !ends_in_access, self.program.ops.len(), many, self.program.clone())
    }
}

/// What an accepted program offers for the work of a refused one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Offer {
    /// The same work, for no more driver calls, and no pair of accesses ordered that was not.
    Same,
    /// The same work, for more calls, or with less concurrency.
    Dearer,
    /// Nothing.
    Nothing,
}

/// Accepted programs by what they do, and the refused ones to compare with them.
#[derive(Clone, Default, Debug)]
pub struct Completeness {
    /// The costs of which none is at most another.
    accepted: HashMap<Job, Vec<Cost>>,
    /// The refused programs that do not race.
    pub refused: Vec<RefusedFree>,
}

impl Completeness {
    /// Adds a program that does not race.
    ///
    /// # Panics
    /// If it is no program.
    pub fn add(&mut self, program: &Program, uses_moved: bool, refusal: Option<&Refusal>) {
        let (job, cost) = job_of(program);
        match refusal {
            None => self.offer(job, cost),
            Some(refusal) => {
                let (program, refusal) = (program.clone(), refusal.clone());
                self.refused.push(RefusedFree { program, refusal, uses_moved, job, cost });
            }
        }
    }

    fn offer(&mut self, job: Job, cost: Cost) {
        let costs = self.accepted.entry(job).or_default();
        if !costs.iter().any(|known| known.at_most(&cost)) {
            costs.retain(|known| !cost.at_most(known));
            costs.push(cost);
        }
    }

    /// What there is for a refused program.
    pub fn offer_for(&self, refused: &RefusedFree) -> Offer {
        match self.accepted.get(&refused.job) {
            None => Offer::Nothing,
            Some(costs) if costs.iter().any(|cost| cost.at_most(&refused.cost)) => Offer::Same,
            Some(_) => Offer::Dearer,
        }
    }

    /// Plain ways to write the work of those refused programs that have no offer at their cost: to be compiled, and
    /// [added](Completeness::add) if accepted.
    pub fn plans(&self) -> Vec<Program> {
        let open = self.refused.iter().filter(|refused| self.offer_for(refused) != Offer::Same);
        let jobs: BTreeSet<&Job> = open.map(|refused| &refused.job).collect();
        let mut programs = BTreeSet::new();
        for job in jobs {
            for readers in [Readers::Take, Readers::Share] {
                for route in [Route::Take, Route::Early, Route::Host] {
                    programs.extend(plan(job, readers, route));
                }
            }
        }
        let is_sound =
            |program: &Program| verdict(program, Takes::Made).is_ok_and(|found| !found.races && !found.uses_moved);
        programs.into_iter().filter(is_sound).collect()
    }
}

/// The job of a program, and what the program spends on it.
///
/// # Panics
/// If it is no program.
pub fn job_of(program: &Program) -> (Job, Cost) {
    let erased = erase(program, Takes::Made).expect("it is a program");
    job(program, &erased.calls)
}
